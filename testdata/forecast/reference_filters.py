# The figures that src/forecast/filter_test.cc and correlator_test.cc compare with, from statsmodels
# and scipy:
#   python3 testdata/forecast/reference_filters.py
# The series are those of FilterSeries() and CorrelatedSeries() there.
import math

import numpy as np
from scipy.signal import butter, filtfilt
from scipy.stats import pearsonr, spearmanr
from statsmodels.tsa.filters.cf_filter import cffilter
from statsmodels.tsa.filters.hp_filter import hpfilter

values = np.array([10 + 0.3 * i + 4 * math.sin(0.7 * i) + 2 * math.cos(2.1 * i * i)
                   for i in range(60)])


def show(name, period, kept):
    figures = ", ".join(f"{kept[at]:.9f}" for at in (0, 1, 30, 59))
    print(f'      {{"{name}", {period:g}, {{{figures}}}}},')


for period in (6, 12, 30):
    b, a = butter(2, 2 / period)
    show("butterworth", period, filtfilt(b, a, values))
for period in (6, 12, 30):
    cycle, _ = cffilter(values, 2, period, drift=True)
    show("christiano_fitzgerald", period, values - np.asarray(cycle).ravel())
for period in (6, 12, 30):
    _, trend = hpfilter(values, (2 * math.sin(math.pi / period)) ** -4)
    show("hodrick_prescott", period, trend)

x = [math.sin(0.9 * i) + 0.1 * (i % 7) for i in range(80)]
y = [x[i] ** 2 + 0.3 * math.cos(1.7 * i * i) for i in range(80)]
print(f"pearson {pearsonr(x, y)[0]:.12f}")
print(f"spearman {spearmanr(x, y)[0]:.12f}")
