# The figures that src/forecast/reference_memory_test.cc compares with, from R and its packages
# forecast and fracdiff:
#   Rscript testdata/forecast/reference_memory.R
# The series are those of LongMemory() and WithWholeDifferences() there.
#
# R's estimate of the memory is the most likely, ours leaves the least squares: R's own least squares
# of its own differences are printed too, to be compared on equal terms. R has no SARFIMA: forecasts
# with whole differences are put together of R's parts, each an implementation of its own.
suppressMessages(library(forecast))
suppressMessages(library(fracdiff))
source("testdata/forecast/reference_made.R")

long_memory <- function(skip, ar, d) {
  errors <- process_of(errors_after(skip, 500), ar)
  weights <- cumprod(c(1, (0:498 + d) / (1:499)))
  100 + 3 * sapply(1:500, function(i) sum(weights[1:i] * errors[i:1]))
}
steps <- c(1, 12, 24)

fractional_weights <- function(d, count) cumprod(c(1, (0:(count - 2) - d) / (1:(count - 1))))
# diffseries takes the mean off; it is put back, that of values about their mean is none.
fractional <- function(values, d) {
  diffseries(values, d) + mean(values) * cumsum(fractional_weights(d, length(values)))
}

# The memory whose differences an autoregression of two terms leaves least of. On a grid first: there
# may be two valleys.
least_squares_memory <- function(values) {
  left <- function(d) {
    rest <- fractional(values, d)
    n <- length(rest)
    sum(lm(rest[3:n] ~ 0 + rest[2:(n - 1)] + rest[1:(n - 2)])$residuals^2)
  }
  grid <- seq(-0.45, 0.45, 0.05)
  best <- grid[which.min(sapply(grid, left))]
  optimize(left, pmax(-0.45, pmin(0.45, best + c(-0.05, 0.05))), tol = 1e-7)$minimum
}

show <- function(ar, d, skip) {
  values <- long_memory(skip, ar, d)
  fit <- suppressWarnings(arfima(values))
  ahead <- forecast(fit, h = 24, level = 95)
  centred <- values - mean(values)
  same_terms <- suppressWarnings(fracdiff(centred, nar = 2))$d
  cat(sprintf("{%g, %g, %d, %.4f, %.4f, %.4f, %s, %s},\n", ar, d, skip,
              least_squares_memory(centred), same_terms, fit$d, listed(ahead$mean[steps]),
              listed((ahead$upper - ahead$mean)[steps])))
}
cat("memory: of least squares, of two terms, of the method; means; half of the bands\n")
for (skip in c(500, 1000, 2500, 5500)) show(0, 0.2, skip)
for (skip in c(500, 1000, 2500)) show(-0.4, 0.3, skip)
for (skip in c(2000, 3000, 4000)) show(0, 0.4, skip)  # Only the memory is compared.

# Of pi(B) w = u: what the next values of w are, those of u being known.
undone <- function(w, u_next, weights) {
  n <- length(w)
  for (u in u_next) {
    back <- seq_along(w)
    w <- c(w, u - sum(weights[1 + back] * rev(w)))
  }
  w[-(1:n)]
}
product <- function(one, other) {
  sapply(1:24, function(k) sum(one[1:k] * other[k:1]))
}
with_whole_differences <- function(kind, skip) {
  memory <- long_memory(skip, 0, 0.2) - 100
  month <- 10 * (0:499 %% 12)
  switch(kind, level = 100 + summed(memory, 1), season = 100 + month + summed(memory, 12),
         both = 1000 + month + summed(summed(memory, 12), 1))
}
show <- function(kind, skip) {
  values <- with_whole_differences(kind, skip)
  season <- if (kind == "level") 1 else 12
  seasonal <- if (season > 1) nsdiffs(ts(values, frequency = season)) else 0
  differences <- if (seasonal > 0) diff(values, season) else values
  whole <- min(1, ndiffs(differences))
  if (whole > 0) differences <- diff(differences)
  # As auto.arima, none of differences of differences: it would be a curve.
  drifts <- whole + seasonal < 2
  centre <- if (drifts) mean(differences) else 0
  d <- least_squares_memory(differences - centre)
  rest <- fractional(differences - centre, d)
  fit <- auto.arima(ts(rest, frequency = season), d = 0, D = 0, allowmean = drifts)
  weights <- fractional_weights(d, length(rest) + 24)
  ahead <- centre + undone(differences - centre, forecast(fit, h = 24)$mean, weights)
  responses <- product(c(1, ARMAtoMA(fit$model$phi, fit$model$theta, 23)),
                       fractional_weights(-d, 24))
  if (whole > 0) {
    ahead <- diffinv(ahead, xi = tail(if (seasonal > 0) diff(values, season) else values, 1))[-1]
    responses <- diffinv(responses)[-1]
  }
  if (seasonal > 0) {
    ahead <- tail(diffinv(ahead, lag = season, xi = tail(values, season)), 24)
    responses <- tail(diffinv(responses, lag = season), 24)
  }
  half <- qnorm(0.975) * sqrt(fit$sigma2 * cumsum(responses^2))
  order <- sub(" with zero mean", "", as.character(fit))
  if (season > 1) order <- sub("^(ARIMA[^[]*)$", "\\1(0,0,0)[12]", order)
  cat(sprintf('{"%s", %d, "%s of differences of %.2f%s", %s, %s},\n', kind, skip, order, whole + d,
              if (seasonal > 0) " and of seasons of 12" else "", listed(ahead[steps]),
              listed(half[steps])))
}
cat("whole differences: description; means; half of the bands\n")
for (skip in c(500, 1000, 3000)) show("level", skip)
for (skip in c(500, 1000, 1500)) show("season", skip)
for (skip in c(500, 2000, 2500)) show("both", skip)
