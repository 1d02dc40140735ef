"""Phrases and renderings of ml-experiment-v0."""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import Phrase, Rendering, Statement, Variants
from envhub.authoring.wording.plurals import counted
from envhub.core.types import JSON
from envhub.envs.code.ml_experiment.scoring import SOLVED
from envhub.envs.code.ml_experiment.submission import FILE, HEADER
from envhub.envs.code.wording import OUTPUT

_TASK: Final = Phrase(
    "Learn from the rows of train.csv, and predict the column {target} of the rows of test.csv.",
    "Predict {target} for every row of test.csv. You can learn from train.csv, which contains {target}.",
    "The file test.csv lacks the column {target}. Predict it, after learning from train.csv.",
    held_out="Supervised learning: fit on train.csv, predict {target} for test.csv.",
)
_FILES: Final = Phrase(
    "Both files are in the working directory. There are {train} rows in train.csv, and {test} rows in test.csv, with an id "
    "from 1 to {test} instead of {target}.",
    "The working directory contains train.csv with {train} rows, and test.csv with {test} rows. The latter has the column "
    "id, from 1 to {test}, and no column {target}.",
    "You find train.csv ({train} rows) and test.csv ({test} rows) in the working directory. In test.csv, {target} is missing, "
    "and each row has an id from 1 to {test}.",
    held_out="Working directory: train.csv, {train} rows; test.csv, {test} rows, column id (1 to {test}), without {target}.",
)
_SESSION: Final = Phrase(
    "The tool python runs code in one Python session with numpy, pandas and scikit-learn. Names stay defined from call to "
    "call. There is no network.",
    "You have a Python session with numpy, pandas and scikit-learn, and without a network. What a call of python defines can "
    "be used in later calls.",
    "All calls of python share one session, in which numpy, pandas and scikit-learn can be imported. The network is not "
    "available.",
    held_out="Session: Python with numpy, pandas, scikit-learn; persistent across calls of python; no network.",
)
_BUDGET: Final = Phrase(
    "You may call python {calls} times. Each call may use {seconds} seconds of processor time. A call that uses more is "
    "stopped, and the session may be restarted. Files are kept.",
    "There are {calls} calls of python, each with {seconds} seconds of processor time. A call that exceeds this is stopped. "
    "This may restart the session, but files are kept.",
    "Your budget is {calls} calls of python with {seconds} seconds of processor time each. If a call needs more, it is "
    "stopped, and the session may lose its names, but not its files.",
    held_out="Budget: {calls} calls of python, {seconds} s of CPU time per call. Exceeding it stops the call and may reset the "
    "session, except for its files.",
)
_FILE: Final = Phrase(
    "Write your predictions to {file} in the working directory: the line {header}, then one line for each id, in any order. "
    "Each prediction is {form}. Then call submit.",
    "A submission is the file {file} in the working directory. Its first line is {header}, and one line for each id follows, "
    "in any order. A prediction is {form}. Call submit when the file is written.",
    "To submit, write {file} into the working directory and call submit. The file starts with the line {header} and has "
    "one line per id, in any order. Every prediction must be {form}.",
    held_out="Submission format: {file} in the working directory, header {header}, one line per id in any order; prediction: "
    "{form}. Then: submit.",
)
_ATTEMPTS: Final = Phrase(
    "You may make {attempts}. You are told the score of a submission on the feedback rows, about a third of the rows "
    "of test.csv. You do not know which rows these are. A file with an error is reported and does not count.",
    "You have {attempts}. Each one is scored on the feedback rows, a fixed third of test.csv that is not "
    "marked, and you see this score. If the file has an error, you see the error, and nothing is counted.",
    "You can make up to {attempts}. Each valid file is scored on an unmarked third of the rows of test.csv, the feedback rows, "
    "and the score is shown. Files with errors are reported and not counted.",
    held_out="Limit: {attempts}. Shown for each: its score on the feedback rows (an unknown third of test.csv). Invalid "
    "files: error message, not counted.",
)
_FINAL: Final = Phrase(
    "Call finish to end the task. Your last valid submission, not your best one, is then scored on all other rows of "
    "test.csv. The task also ends after your last message. Without a valid submission, the score is 0.",
    "The task ends when you call finish or have no messages left. What counts is the score of your last valid submission on "
    "the rows of test.csv that are not feedback rows. If you never submit a valid file, the score is 0.",
    "A call of finish ends the task, and so does your last message. The final score is that of the last valid submission, on "
    "the rows of test.csv without the feedback rows. It is 0 if there is no valid submission.",
    held_out="End: finish, or the last message. Graded: the last valid submission, on the non-feedback rows of test.csv. No "
    "valid submission: 0.",
)
_SCALE: Final = Phrase(
    "The final score is 0 for {floor}, and 1 for the best prediction that the columns allow, which cannot know the noise. "
    "Between them it is linear. You succeed with {solved} or more.",
    "The score runs linearly from 0, reached by {floor}, to 1, reached by a predictor that knows everything about the data "
    "except for the noise. A score of at least {solved} is a success.",
    "Scores are scaled: {floor} gets 0, and the ideal prediction, which knows all but the noise, gets 1. From {solved} on you "
    "succeed.",
    held_out="Normalization: 0 = {floor}; 1 = ideal predictor without knowledge of the noise; linear in between. Success: "
    ">= {solved}.",
)
_REPEATS: Final = Phrase(
    "Some rows were entered several times: train.csv contains repeated rows, and many feedback rows also occur in train.csv. "
    "The rows of the final score do not.",
    "There are repeated rows within train.csv and between train.csv and the feedback rows. No row of the final score occurs "
    "in train.csv.",
    "Rows repeat: in train.csv, and many feedback rows are rows of train.csv. The rows that decide the final score are all "
    "new.",
    held_out="Duplicates: within train.csv, and shared between train.csv and the feedback rows; never in the rows of the final "
    "score.",
)
_LATE: Final = Phrase(
    "The final score is about predictions made before the outcome is known. In its rows, a column that is filled in later "
    "contains values of other rows.",
    "In the rows of the final score, columns that are entered after the outcome contain the values of other rows, as "
    "predictions must be made earlier.",
    "Predictions are needed before the outcome is known: the rows of the final score have values of other rows in every "
    "column that is entered later.",
    held_out="Columns recorded after the outcome: in the rows of the final score, their values come from other rows.",
)
_METRICS: Final = {
    "accuracy": Phrase(
        "Predictions are scored by accuracy, the share of right labels.",
        "The score is the accuracy: how many of the labels are right, as a share.",
        "Scored is the accuracy, the fraction of rows with the right label.",
        held_out="Metric: accuracy.",
    ),
    "f1": Phrase(
        "Predictions are scored by F1, the harmonic mean of precision and recall of yes.",
        "The score is F1 for the label yes: the harmonic mean of its precision and its recall.",
        "Scored is the F1 of yes, which is the harmonic mean of precision and recall.",
        held_out="Metric: F1, positive label yes.",
    ),
    "auc": Phrase(
        "Predictions are scored by AUC, the area under the ROC curve: a row with yes should have a larger number than a row "
        "with no.",
        "The score is the AUC, the share of pairs of a yes and a no in which the yes has the larger number; ties count half.",
        "Scored is the area under the ROC curve. Give larger numbers to rows that are more likely to be yes.",
        held_out="Metric: ROC AUC of the numbers for yes.",
    ),
    "map": Phrase(
        "Predictions are scored by MAP: within each query, rows are ranked by falling numbers, and the average precision of "
        "the rows with yes is averaged over the queries.",
        "The score is the mean over all queries of the average precision of yes, when the rows of a query are ranked from the "
        "largest number to the smallest.",
        "Scored is the mean average precision. Per query, a row that is more likely to be yes should have a larger number.",
        held_out="Metric: MAP over queries, rows ranked by descending number, relevant: yes.",
    ),
    "rmse": Phrase(
        "Predictions are scored by RMSE, the root of the mean squared error; smaller is better.",
        "The score is the root mean squared error (RMSE). A smaller error is better.",
        "Scored is the RMSE: the square root of the mean of the squared errors. Keep it small.",
        held_out="Metric: RMSE, lower is better.",
    ),
}
_NAMES: Final = {"accuracy": "accuracy", "f1": "F1", "auc": "AUC", "map": "MAP", "rmse": "RMSE"}
_FLOOR: Final = {
    "map": "a random order",
    "auc": "a random order",
    "accuracy": "the most frequent label",
    "f1": "yes in every row",
    "rmse": "the best constant",
}


def _sentences(problem: JSON) -> str:
    rows = [f"- {name}: {note}" for name, note in shown_columns(problem)]
    return f"Each row is {problem['about']}. The columns:\n" + "\n".join(rows)


def _table(problem: JSON) -> str:
    rows = [f"| {name} | {note} |" for name, note in shown_columns(problem)]
    return "\n".join([f"A row is {problem['about']}.", "", "| column | meaning |", "|---|---|", *rows])


def _json(problem: JSON) -> str:
    return json.dumps({"row": problem["about"], "columns": dict(shown_columns(problem))}, indent=1)


def _lines(problem: JSON) -> str:
    return "\n".join(
        [f"Rows: {problem['about']}. Columns:", *(f"{name} = {note}" for name, note in shown_columns(problem))]
    )


def shown_columns(problem: JSON) -> list[tuple[str, str]]:
    """Names and notes of all columns, those of pixels as one."""
    rows = [(name, note) for name, note in problem["columns"]]
    if problem["task"] == "image-accuracy":
        last = rows[35:]
        rows = [
            ("p00 to p55", "grey of a pixel, 0 to 9; the digits of the name are its row and its column, 0 to 5"),
            *last[1:],
        ]
    return [*rows, (problem["target"][0], f"{problem['target'][1]}; to be predicted")]


_DATA: Final[Variants[Rendering]] = Variants(_sentences, _table, _json, held_out=_lines, name="data")


def statement(problem: JSON, seconds: int, shown: int) -> Statement:
    """The whole prompt.

    Args:
        problem: The task.
        seconds: CPU seconds of a call of python.
        shown: Characters of its output that are shown.
    """
    metric, labels = problem["metric"], problem["labels"]
    rules = [_FILES, _SESSION, _BUDGET, OUTPUT, _METRICS[metric], _FILE, _ATTEMPTS, _FINAL, _SCALE]
    rules += [_REPEATS] * problem["repeats"] + [_LATE] * problem["late"]
    values = {
        "target": problem["target"][0],
        "train": problem["rows"][0],
        "test": problem["rows"][1],
        "calls": problem["calls"],
        "seconds": seconds,
        "shown": shown,
        "tool": "python",
        "file": FILE,
        "header": HEADER,
        "form": f"one of {', '.join(labels)}" if labels else "a number in decimal digits",
        "attempts": counted(problem["attempts"], "submission"),
        "floor": _floor(problem),
        "solved": SOLVED,
    }
    return Statement(task=_TASK, data=_DATA, problem=problem, rules=tuple(rules), values=values)


def score_text(problem: JSON, number: int, value: float, floor: float) -> str:
    """What the policy is told of a submission."""
    rest = problem["attempts"] - number
    return (
        f"Submission {number} is valid. Its {_NAMES[problem['metric']]} on the feedback rows is {value:.4f} "
        f"({_floor(problem)}: {floor:.4f}). {counted(rest, 'submission')} left."
    )


def _floor(problem: JSON) -> str:
    return "the best constant of each shop" if problem["task"] == "series-rmse" else _FLOOR[problem["metric"]]
