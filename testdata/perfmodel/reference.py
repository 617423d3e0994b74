"""The figures of scikit-learn (Debian: python3-sklearn) that tests of src/perfmodel compare with:

    /usr/bin/python3 testdata/perfmodel/reference.py

The scores of isolation forests go to isolation_scores.csv, the rest is printed. Rows are those of
ReferenceRows() in src/perfmodel/reference_test.cc.
"""
import pathlib

import numpy
from sklearn.ensemble import IsolationForest
from sklearn.linear_model import Lasso, MultiTaskLasso
from sklearn.preprocessing import PolynomialFeatures, StandardScaler


def draws(count, state=12345):
    for _ in range(count):
        state = 16807 * state % 2147483647
        yield state / 2147483647 - 0.5


def reference_rows(rows=200, columns=5):
    values = numpy.array(list(draws(rows * columns))).reshape(rows, columns)
    values[::20] *= 4  # Every twentieth row is far out.
    return values


def show(name, figures):
    print(name, ", ".join(f"{figure:.7f}" for figure in numpy.ravel(figures)))


rows = reference_rows()
show("first values", rows[0, :3])

# Averaged over forests, so that what is left is the method and not the draw.
scores = numpy.mean([-IsolationForest(random_state=seed).fit(rows).score_samples(rows)
                     for seed in range(20)], axis=0)
pathlib.Path(__file__).with_name("isolation_scores.csv").write_text(
    "score\n" + "".join(f"{score:.7f}\n" for score in scores))

scaled = StandardScaler().fit_transform(rows[:, :3])
features = StandardScaler().fit_transform(
    PolynomialFeatures(2, include_bias=False).fit_transform(scaled))
tight = {"tol": 1e-12, "max_iter": 1_000_000}
first = rows[:, 0] * rows[:, 1] + 0.3 * rows[:, 2] + 0.1 * rows[:, 3]
second = rows[:, 0] * rows[:, 1] - 0.5 * rows[:, 1] + 0.1 * rows[:, 4]
targets = StandardScaler().fit_transform(numpy.column_stack([first, second]))
show("lasso", Lasso(alpha=0.05, **tight).fit(features, targets[:, 0]).coef_)
both = MultiTaskLasso(alpha=0.05, **tight).fit(features, targets)
show("multi-task lasso, by feature", both.coef_.T)
