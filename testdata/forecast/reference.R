# The figures that tests of src/forecast compare with, from R and its package forecast:
#   Rscript testdata/forecast/reference.R
# The series is that of ReferenceSeries() in src/forecast/reference_series_testing.h.
suppressMessages(library(forecast))
state <- 12345
draw <- function() {
  state <<- (16807 * state) %% 2147483647
  state / 2147483647 - 0.5
}
values <- numeric(0)
wander <- 0
for (i in 0:239) {
  wander <- 0.7 * wander + draw()
  values <- c(values, 50 + 10 * (i %% 12) + 0.02 * i + 8 * wander)
}
show <- function(name, figures) cat(name, sprintf("%.6f", figures), "\n")
show("first values", values[1:3])
for (order in list(c(1, 0, 1), c(2, 0, 0), c(0, 1, 1))) {
  fit <- arima(ts(values, frequency = 12), order = order,
               seasonal = list(order = c(0, 1, 1), period = 12), method = "ML",
               optim.control = list(reltol = 1e-12))
  show(paste("ARIMA", paste(order, collapse = ","), "(0,1,1)[12] likelihood"), fit$loglik)
  show("  coefficients", coef(fit))
  ahead <- predict(fit, 24)
  show("  forecasts 1, 12, 24", ahead$pred[c(1, 12, 24)])
  # arima divides by all points, ours and forecast::Arima by those that estimating left free.
  show("  deviations 1, 12, 24",
       ahead$se[c(1, 12, 24)] * sqrt(fit$nobs / (fit$nobs - length(coef(fit)))))
}
plain <- diff(values, 12)
fit <- arima(plain, order = c(2, 0, 1), method = "ML", optim.control = list(reltol = 1e-12))
show("ARIMA 2,0,1 with mean, of the differences, likelihood and mean",
     c(fit$loglik, coef(fit)["intercept"]))
show("level statistic", urca::ur.kpss(values, type = "mu", use.lag =
     trunc(3 * sqrt(length(values)) / 13))@teststat)
show("differences", c(ndiffs(values), nsdiffs(ts(values, frequency = 12))))
decomposed <- mstl(ts(values, frequency = 12))
rest <- decomposed[, "Remainder"]
show("strength of the season", 1 - var(rest) / var(rest + decomposed[, "Seasonal12"]))
