"""pddl-plan-v0 and blocksworld-v0: plans in domains of STRIPS."""
