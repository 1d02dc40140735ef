"""A small world in tables (births, jobs, works, events), described in documents and asked about.

``names`` has what things are called, ``tables`` the facts, ``text`` the documents, ``questions`` what is asked; the answer to
a question is always computed from the tables::

    world = build(seed, people=20, namesakes=2)
    documents = render(world)
    question = draw_question(rng, world, facts=3)
"""
