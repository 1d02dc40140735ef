"""The bundled trainer: multi-turn, token-level GRPO, PPO and relatives.

::

    envhub train warmstart guess     # a tiny model from scratch, and demonstrations
    envhub train guess               # reinforcement
    envhub train report runs/guess                         # curves and episodes on one page

Like any other trainer, it uses only the public API of ``envhub`` and :mod:`envhub.core.types`. To read the code, start with
:mod:`envhub_trainer.loop` (the training loop), then :mod:`envhub_trainer.rollout` (how episodes are played) and
:mod:`envhub_trainer.algorithms` (how their losses are computed).
"""
