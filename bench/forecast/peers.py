"""What statsmodels foresees of the series in FOLDER/series.csv, to FOLDER/forecasts.csv.

    python3 peers.py FOLDER HOW_MANY_FOR_THE_SLOW_ONES
"""
import csv
import pathlib
import sys
import time
import warnings

import numpy
import pandas
from statsmodels.tsa.exponential_smoothing.ets import ETSModel
from statsmodels.tsa.statespace.sarimax import SARIMAX

HORIZON = 168
warnings.simplefilter("ignore")


def smoothing(values):
    """ETS(A,Ad,A), a form that fits any series."""
    # Of plain numbers it can fit, and not say how sure it is.
    fitted = ETSModel(pandas.Series(values), error="add", trend="add", damped_trend=True,
                      seasonal="add", seasonal_periods=24).fit(disp=False)
    ahead = fitted.get_prediction(start=len(values), end=len(values) + HORIZON - 1)
    frame = ahead.summary_frame(alpha=0.05)
    return frame["mean"], frame["pi_lower"], frame["pi_upper"]


def sarimax(values):
    """ARIMA(1,0,1)(0,1,1)[24]: it has no selection of its own."""
    fitted = SARIMAX(values, order=(1, 0, 1), seasonal_order=(0, 1, 1, 24)).fit(disp=False)
    ahead = fitted.get_forecast(HORIZON)
    bounds = ahead.conf_int(alpha=0.05)
    return ahead.predicted_mean, bounds[:, 0], bounds[:, 1]


def main():
    folder, slow_count = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    series = numpy.loadtxt(folder / "series.csv", delimiter=",", ndmin=2)
    with open(folder / "forecasts.csv", "w", encoding="utf-8") as out:
        rows = csv.writer(out)
        rows.writerow(["method", "series", "cpu_s", "mean", "lower", "upper"])
        for method, foresee in (("statsmodels_ets", smoothing), ("statsmodels_sarimax", sarimax)):
            for number, values in enumerate(series[:slow_count]):
                begin = time.process_time()
                found = [numpy.asarray(part) for part in foresee(values)]
                took = time.process_time() - begin
                for point in zip(*found):
                    rows.writerow([method, number, f"{took:.6f}",
                                   *(f"{figure:.9g}" for figure in point)])


if __name__ == "__main__":
    main()
