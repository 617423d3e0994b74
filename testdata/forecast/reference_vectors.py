# The figures of support vectors that src/forecast/reference_vectors_test.cc compares with, from
# scikit-learn:
#   python3 testdata/forecast/reference_vectors.py
# The first series is that of ReferenceSeries() in src/forecast/reference_series_testing.h, the
# others are those of NoisySeries() in the test.
import math

import numpy as np
from sklearn.svm import SVR

HORIZON = 24


def smooth():
    state = 12345
    wander = 0.0
    values = []
    for i in range(240):
        state = 16807 * state % 2147483647
        wander = 0.7 * wander + state / 2147483647 - 0.5
        values.append(50 + 10 * (i % 12) + 0.02 * i + 8 * wander)
    return values


def normals(count):
    """Nearly normal: twelve uniform draws each."""
    state = 12345
    drawn = []
    for _ in range(count):
        total = -6.0
        for _ in range(12):
            state = 16807 * state % 2147483647
            total += state / 2147483647
        drawn.append(total)
    return drawn


def noisy(skip, wave):
    """What lingers, with as much noise as there is wave."""
    value = 0.0
    values = []
    for i, error in enumerate(normals(skip + 300)[skip:]):
        value = 0.6 * value + error
        values.append(100 + 5 * value + wave * math.sin(2 * math.pi * i / 12))
    return values


def show(name, values, lags):
    centre, unit = np.mean(values), np.std(values)
    path = [(value - centre) / unit for value in values]
    longest = max(lags)
    rows = [[path[at - lag] for lag in lags] for at in range(longest, len(path))]
    fitted = SVR(kernel="rbf", C=10, epsilon=0.05, gamma=1 / len(lags), tol=1e-6)
    fitted.fit(rows, path[longest:])
    for _ in range(HORIZON):
        path.append(fitted.predict([[path[-lag] for lag in lags]])[0])
    foreseen = ", ".join(f"{centre + unit * value:.4f}" for value in path[-HORIZON:])
    print(f"{name}: {foreseen}")


show("smooth", smooth(), (1, 2, 3, 12, 13))
for skip in (0, 1000):
    show(f"season and noise after {skip}", noisy(skip, 10), (1, 2, 3, 12, 13))
    show(f"noise after {skip}", noisy(skip, 0), (1, 2, 3))
