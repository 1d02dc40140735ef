"""The bundled trainer: GRPO and PPO over the hub, multi-turn.

It talks to the hub through ``envhub.client`` and ``envhub.types`` alone, as any other trainer does.
"""
