"""What scikit-learn makes of FOLDER/data.csv:

    peers.py isolation FOLDER    scores of an isolation forest of 200 trees
    peers.py lasso FOLDER        coefficients of the degree-2 lasso of each application, with the
                                 other targets as predictors, and the time of its ten folds

Each answer is a file answer-NAME.csv: a header, the seconds it took, then the values.
"""
import sys
import time

import numpy
from sklearn.ensemble import IsolationForest
from sklearn.linear_model import MultiTaskLasso
from sklearn.model_selection import KFold
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

APPLICATIONS = 3
PENALTY = 0.01


def answer(folder, name, seconds, values):
    with open(f"{folder}/answer-{name}.csv", "w", encoding="ascii") as out:
        out.write("value\n" + "".join(f"{value!r}\n" for value in [seconds, *map(float, values)]))


def isolation(folder, rows):
    begin = time.process_time()
    scores = -IsolationForest(n_estimators=200, random_state=1).fit(rows).score_samples(rows)
    answer(folder, "isolation", time.process_time() - begin, scores)


def fit(features, targets, **stop):
    expanded = PolynomialFeatures(2, include_bias=False).fit_transform(
        StandardScaler().fit_transform(features))
    return MultiTaskLasso(alpha=PENALTY, max_iter=100_000, **stop).fit(
        StandardScaler().fit_transform(expanded), StandardScaler().fit_transform(targets))


def lasso(folder, rows):
    inputs = [4 * a + i for a in range(APPLICATIONS) for i in (0, 1)]
    for a in range(APPLICATIONS):
        own = [4 * a + 2, 4 * a + 3]
        others = [4 * b + i for b in range(APPLICATIONS) if b != a for i in (2, 3)]
        features, targets = rows[:, inputs + others], rows[:, own]
        begin = time.process_time()
        for shown, _ in KFold(10).split(rows):
            fit(features[shown], targets[shown])
        seconds = time.process_time() - begin
        exact = fit(features, targets, tol=1e-12).coef_.T.ravel()
        answer(folder, f"lasso-{a}", seconds, exact)


def main():
    part, folder = sys.argv[1:]
    rows = numpy.loadtxt(f"{folder}/data.csv", delimiter=",", skiprows=1)
    {"isolation": isolation, "lasso": lasso}[part](folder, rows)


main()
