# The figures that src/forecast/reference_methods_test.cc compares with, from R and its package
# forecast:
#   Rscript testdata/forecast/reference_methods.R
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
series <- ts(values, frequency = 12)
steps <- c(1, 12, 24)
listed <- function(figures) paste0("{", paste(sprintf("%.4f", figures), collapse = ", "), "}")
show <- function(name, ahead) {
  cat(sprintf('{"%s", %s, %s, %s},\n', name, listed(ahead$mean[steps]),
              listed(ahead$lower[steps]), listed(ahead$upper[steps])))
}
show("last_value", naive(series, h = 24, level = 95))
show("seasonal_naive", snaive(series, h = 24, level = 95))
show("average", meanf(series, h = 24, level = 95))
show("seasonal_decomposition", forecast(mstl(series), h = 24, level = 95))
show("seasonal_decomposition_ar",
     forecast(mstl(series), method = "arima", max.q = 0, h = 24, level = 95))

parts <- mstl(msts(values, seasonal.periods = c(12, 40)))
at <- c(1, 120, 240)
cat("Seasonal12", listed(parts[at, "Seasonal12"]), "Seasonal40", listed(parts[at, "Seasonal40"]),
    "adjusted", listed(seasadj(parts)[at]), "\n")

lags <- c(1, 2, 3, 12, 13)
past <- sapply(lags, function(lag) values[(14 - lag):(240 - lag)])
fit <- lm(values[14:240] ~ past)
path <- values
for (h in 1:24) {
  path <- c(path, sum(coef(fit) * c(1, path[length(path) + 1 - lags])))
}
cat("lag_regression", listed(path[240 + steps]), "deviation", summary(fit)$sigma, "\n")
