"""Planning: typed domains, states as bits, and shortest plans.

================ ==========================================================
``domains``      :class:`Domain`, its schemas, and the text of PDDL
``space``        facts as bits, and grounded actions
``search``       A* with a counted budget: shortest plans, or proof of none
``estimate``     an admissible estimate of the steps that are left
================ ==========================================================
"""
