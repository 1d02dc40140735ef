"""Scripted baselines of ml-experiment-v0.

They are programs that a policy could send. ``linear`` fits one linear model to the columns as they are. ``selected``
compares several models by cross-validation, on rows without repetitions and without a late column, with week, shop
and pairs of words as features.
"""

from __future__ import annotations

from typing import Final, Literal

from envhub.core.types import JSON
from envhub.envs.code.ml_experiment.traps import LATE

Baseline = Literal["linear", "selected"]

_START: Final = """
import numpy as np, pandas as pd
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import MultinomialNB
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor, GradientBoostingClassifier, GradientBoostingRegressor
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler
train, test = pd.read_csv("train.csv"), pd.read_csv("test.csv")
"""
_FEATURES: Final = """
def features(table, careful):
    if "text" in table:
        return table["text"]
    table = table.copy()
    if careful and "day" in table:
        table["week"] = (table["day"] % 7).astype(str) + table["shop"]
    return table.drop(columns=["query"], errors="ignore")
both = features(pd.concat([train.drop(columns=target), test.drop(columns="id")]), careful)
if getattr(both, "ndim", 1) == 2:
    both = pd.get_dummies(both).astype(float)
x, rest, y = both.iloc[:len(train)], both.iloc[len(train):], train[target]
"""
_MODELS: Final = """
words = CountVectorizer(ngram_range=(1, 2) if careful else (1, 1), token_pattern=r"\\S+")
if isinstance(x, pd.Series):
    models = [make_pipeline(words, LogisticRegression(max_iter=2000))]
    models += [make_pipeline(words, MultinomialNB())] * careful
elif metric == "rmse":
    models = [make_pipeline(StandardScaler(), Ridge(3.0))]
    models += [
        make_pipeline(StandardScaler(), PolynomialFeatures(2), Ridge(30.0)),
        GradientBoostingRegressor(random_state=0),
        ExtraTreesRegressor(150, min_samples_leaf=2, random_state=0),
    ] * (careful and x.shape[1] < 60)
else:
    models = [make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000))]
    models += [ExtraTreesClassifier(150, min_samples_leaf=2, random_state=0)] * careful
    models += [
        make_pipeline(StandardScaler(), PolynomialFeatures(2), LogisticRegression(C=0.03, max_iter=2000)),
        GradientBoostingClassifier(random_state=0),
    ] * (careful and x.shape[1] < 20)
scoring = {"rmse": "neg_root_mean_squared_error", "accuracy": "accuracy"}.get(metric, "roc_auc")
if len(models) > 1:
    models.sort(key=lambda model: -cross_val_score(model, x, y, cv=3, scoring=scoring).mean())
best = models[0]
best.fit(x, y)
"""
_PREDICT: Final = """
if metric in ("rmse", "accuracy"):
    predictions = best.predict(rest)
else:
    predictions = best.predict_proba(rest)[:, list(best.classes_).index("yes")]
    if metric == "f1":
        least = sorted(predictions)[::-1][int(len(rest) * (y == "yes").mean() * 1.1)]
        predictions = np.where(predictions >= least, "yes", "no")
pd.DataFrame({"id": test["id"], "prediction": predictions}).to_csv("submission.csv", index=False)
"""


def baseline_script(problem: JSON, name: Baseline) -> str:
    """The program of a baseline for a task."""
    careful = name == "selected"
    lines = [_START, f"target, metric, careful = {problem['target'][0]!r}, {problem['metric']!r}, {careful}"]
    if careful and problem["repeats"]:
        lines.append("train = train.drop_duplicates()")
    if careful and problem["late"]:
        lines.append(f"train, test = (each.drop(columns={LATE.name!r}) for each in (train, test))")
    return "\n".join([*lines, _FEATURES, _MODELS, _PREDICT])
