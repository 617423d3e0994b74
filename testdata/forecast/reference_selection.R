# The figures that src/forecast/reference_selection_test.cc compares with, from R's
# forecast::auto.arima:
#   Rscript testdata/forecast/reference_selection.R
# The series are those of SelectionSeries() there. The limits are those of the methods; the rest is
# as auto.arima has it: stepwise, candidates by their conditional sum of squares.
suppressMessages(library(forecast))
source("testdata/forecast/reference_made.R")
steps <- c(1, 12, 24)
show <- function(method, kind, skip, values, season, ...) {
  fit <- auto.arima(ts(values, frequency = season), ...)
  ahead <- forecast(fit, h = 24, level = 95)
  order <- sub(" with zero mean", "", sub("non-zero mean", "mean", as.character(fit)))
  cat(sprintf('{"%s", "%s", %d, "%s", %.3f, %s, %s},\n', method, kind, skip, order, fit$aicc,
              listed(ahead$mean[steps]), listed((ahead$upper - ahead$mean)[steps])))
}
for (skip in c(0, 500, 1000, 1500)) {
  errors <- function(count) errors_after(skip, count)
  show("autoregression", "ar2", skip, 50 + 3 * process_of(errors(300), c(0.5, 0.3)), 1,
       stationary = TRUE, max.q = 0)
  show("moving_average", "ma2", skip, 50 + 3 * process_of(errors(300), ma = c(0.7, 0.4)), 1,
       stationary = TRUE, max.p = 0)
  show("arma", "arma11", skip, 50 + 3 * process_of(errors(300), 0.7, 0.4), 1, stationary = TRUE)
  show("arima", "ima", skip, 100 + summed(process_of(errors(250), ma = -0.5), 1), 1)
  show("arima", "drift", skip, 20 + summed(0.5 + process_of(errors(250), 0.6), 1), 1)
  show("arima", "arima211", skip, 100 + summed(process_of(errors(400), c(1.2, -0.6), 0.5), 1), 1)
  months <- 10 * (0:239 %% 12)
  airline <- process_of(errors(240), ma = c(-0.4, rep(0, 10), -0.6, 0.24))
  show("sarima", "airline", skip, 300 + months + summed(summed(airline, 12), 1), 12)
  seasonal <- process_of(errors(240), 0.6, c(rep(0, 11), -0.5))
  show("sarima", "seasonal", skip, 100 + months + summed(seasonal, 12), 12)
  week <- process_of(errors(280), c(0.4, 0, 0, 0, 0, 0, 0.5, -0.2))
  show("sarima", "week", skip, 100 + 3 * week, 7)
}
