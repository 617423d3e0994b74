# The figures of support vectors that src/forecast/reference_methods_test.cc compares with, from
# scikit-learn:
#   python3 testdata/forecast/reference_vectors.py
# The series is that of ReferenceSeries() in src/forecast/reference_series_testing.h.
import numpy as np
from sklearn.svm import SVR

LAGS = (1, 2, 3, 12, 13)

state = 12345
wander = 0.0
values = []
for i in range(240):
    state = 16807 * state % 2147483647
    wander = 0.7 * wander + state / 2147483647 - 0.5
    values.append(50 + 10 * (i % 12) + 0.02 * i + 8 * wander)

centre, unit = np.mean(values), np.std(values)
path = [(value - centre) / unit for value in values]
rows = [[path[at - lag] for lag in LAGS] for at in range(13, 240)]
fitted = SVR(kernel="rbf", C=10, epsilon=0.05, gamma=1 / len(LAGS), tol=1e-6).fit(rows, path[13:])
for _ in range(24):
    path.append(fitted.predict([[path[-lag] for lag in LAGS]])[0])
print("foreseen 1, 12 and 24 ahead", [round(centre + unit * path[239 + h], 4) for h in (1, 12, 24)])
print("vectors", len(fitted.support_))
