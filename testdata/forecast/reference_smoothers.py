# The figures of smoothers that src/forecast/reference_cleaning_test.cc compares with, and those of
# Holt-Winters that reference_smoothing_test.cc does, from statsmodels, which too searches for the
# start:
#   python3 testdata/forecast/reference_smoothers.py
# The series are those of SmoothedSeries() in src/forecast/reference_series_testing.h.
import math
import warnings

from statsmodels.tsa.holtwinters import ExponentialSmoothing

warnings.simplefilter("ignore")
state = 12345


def normal():
    global state
    total = -6.0
    for _ in range(12):
        state = 16807 * state % 2147483647
        total += state / 2147483647
    return total


drawn = [normal() for _ in range(2000)]


def wandering(skip, ma):
    errors = drawn[skip:skip + 240]
    level = 0.0
    values = []
    for t, error in enumerate(errors):
        level += error + (ma * errors[t - 1] if t > 0 else 0)
        values.append(level)
    return values


for skip in (0, 500, 1000):
    slow = wandering(skip, -0.7)
    kinds = {
        "simple_exponential": [50 + value for value in wandering(skip, -0.6)],
        "holt": [50 + 0.5 * (i + 1) + 2 * slow[i] for i in range(240)],
        "holt_winters": [100 + 0.3 * (i + 1) + 20 * math.sin(2 * math.pi * i / 12) + slow[i]
                         for i in range(240)],
    }
    for name, values in kinds.items():
        seasonal = name == "holt_winters"
        fitted = ExponentialSmoothing(values, trend=None if name == "simple_exponential" else "add",
                                      seasonal="add" if seasonal else None,
                                      seasonal_periods=12 if seasonal else None,
                                      initialization_method="estimated").fit()
        smoothed = fitted.level + (fitted.season if seasonal else 0)
        figures = ", ".join(f"{smoothed[at]:.5f}" for at in (0, 1, 30, 119, 239))
        ahead = fitted.forecast(24)
        foreseen = ", ".join(f"{ahead[at]:.4f}" for at in (0, 11, 23))
        print(f'{{"{name}", {skip}, {{{figures}}}}}, foreseen 1, 12 and 24 ahead {foreseen}')
