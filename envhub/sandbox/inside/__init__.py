"""What runs in the jail, trusted to do its work and told no secret: standard library only, Python 3.9 or newer.

The host sends these modules as text (:mod:`envhub.sandbox.slots.bundle`), where they are known as ``_jail.*``; envhub
itself is not
there. In the order in which they act: ``jail`` builds the surroundings of a slot, ``zygote`` waits in them, ``init`` is the
first process of a job, ``box`` its files, ``candidate`` gives up every right and becomes the program, ``watch`` looks on.
"""
