# The figures of Hodrick-Prescott trends of long periods that src/forecast/filter_test.cc compares
# with, worked out with 60 digits:
#   python3 testdata/forecast/reference_long_trends.py
import math
from decimal import Decimal, getcontext

getcontext().prec = 60
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")


def sine(x):
    term = total = x
    k = 1
    while abs(term) > Decimal(10) ** -58:
        term *= -x * x / ((k + 1) * (k + 2))
        total += term
        k += 2
    return total


def trend(values, penalty):
    """Of (I + penalty K'K) x = values, by elimination in the five diagonals."""
    n = len(values)
    rows = [{i: Decimal(1)} for i in range(n)]
    for i in range(n - 2):
        for a, one in enumerate((1, -2, 1)):
            for b, other in enumerate((1, -2, 1)):
                rows[i + a][i + b] = rows[i + a].get(i + b, 0) + penalty * one * other
    right = [Decimal(value) for value in values]
    for i in range(n):
        for below in range(i + 1, min(i + 3, n)):
            factor = rows[below][i] / rows[i][i]
            for column, weight in rows[i].items():
                if column >= i:
                    rows[below][column] = rows[below].get(column, 0) - factor * weight
            right[below] -= factor * right[i]
    for i in reversed(range(n)):
        for column in range(i + 1, min(i + 3, n)):
            right[i] -= rows[i].get(column, 0) * right[column]
        right[i] /= rows[i][i]
    return right


series = [120 + 50 * math.sin(0.26 * i) * math.cos(0.01 * i) + i % 23 * 7 % 23 for i in range(4000)]
for period in (2000, 10000):
    found = trend(series, (2 * sine(PI / period)) ** -4)
    print(period, ", ".join(f"{found[at]:.10f}" for at in (0, 1, 1999, 3999)))
