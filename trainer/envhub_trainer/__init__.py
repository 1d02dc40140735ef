"""The bundled trainer: GRPO, PPO and relatives over the hub, multi-turn, token in and token out.

::

    envhub train warmstart guess     # a tiny model from scratch, and demonstrations
    envhub train guess               # reinforcement
    envhub train report runs/guess                         # curves and episodes on one page

It uses the hub as any other trainer does: through what ``import envhub`` offers, and :mod:`envhub.core.types`. Where to begin
reading: :mod:`envhub_trainer.loop` is the whole story on one screen, :mod:`envhub_trainer.rollout` is how episodes come about,
:mod:`envhub_trainer.algorithms` is what is learned from them.
"""
