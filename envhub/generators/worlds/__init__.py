"""A small world in tables, with documents and questions.

The tables hold births, jobs, works and events.

``names`` has the names, ``tables`` the facts, ``text`` the documents, ``questions`` the questions; answers are always
computed from the tables::

    world = build(seed, people=20, namesakes=2)
    documents = render(world)
    question = draw_question(rng, world, facts=3)
"""
