# The figures that src/forecast/reference_memory_test.cc compares with, from R and its packages
# forecast, fracdiff and fGarch (r-cran-fgarch):
#   Rscript testdata/forecast/reference_memory.R
# The series are those of LongMemory() and Bursts() there.
suppressMessages(library(forecast))
suppressMessages(library(fracdiff))
suppressMessages(library(fGarch))
source("testdata/forecast/reference_made.R")

long_memory <- function(skip, ar, d) {
  errors <- process_of(errors_after(skip, 500), ar)
  weights <- cumprod(c(1, (0:498 + d) / (1:499)))
  100 + 3 * sapply(1:500, function(i) sum(weights[1:i] * errors[i:1]))
}
steps <- c(1, 12, 24)
show <- function(ar, d, skip) {
  values <- long_memory(skip, ar, d)
  fit <- suppressWarnings(arfima(values))
  ahead <- forecast(fit, h = 24, level = 95)
  same_terms <- suppressWarnings(fracdiff(values - mean(values), nar = 2))$d
  cat(sprintf("{%g, %g, %d, %.4f, %.4f, %s, %s},\n", ar, d, skip, same_terms, fit$d,
              listed(ahead$mean[steps]), listed((ahead$upper - ahead$mean)[steps])))
}
cat("memory: of two terms, of the method; means; half of the bands\n")
for (skip in c(500, 1000, 2500, 5500)) show(0, 0.2, skip)
for (skip in c(500, 1000, 2500)) show(-0.4, 0.3, skip)
for (skip in c(2000, 3000, 4000)) show(0, 0.4, skip)  # Only the memory is compared.

bursts <- function(skip, of_square, of_variance) {
  variance <- 1
  values <- numeric(0)
  for (error in errors_after(skip, 400)) {
    values <- c(values, sqrt(variance) * error)
    variance <- 0.1 + of_square * values[length(values)]^2 + of_variance * variance
  }
  50 + 2 * values
}
steps <- c(1, 5, 24)
cat("bursts: by the errors of the last half, by all\n")
show <- function(of_square, of_variance, skip) {
  values <- bursts(skip, of_square, of_variance)
  # What the method sees: the errors of one step ahead over the last 200 points.
  errors <- sapply(201:400, function(t) values[t] - mean(values[1:(t - 1)]))
  fit <- garchFit(~ garch(1, 1), data = errors, include.mean = FALSE, trace = FALSE)
  deviations <- predict(fit, n.ahead = 24)$standardDeviation
  plain <- meanf(values, level = 95, h = 24)
  half <- (plain$upper - plain$mean)[1]
  of_all <- garchFit(~ garch(1, 1), data = values, trace = FALSE)
  cat(sprintf("{%g, %g, %d, %.4f, %s, %s},\n", of_square, of_variance, skip, half,
              listed(half * deviations[steps] / sqrt(mean(errors^2))),
              listed(qnorm(0.975) * predict(of_all, n.ahead = 24)$standardDeviation[steps])))
}
show(0.2, 0.7, 0)
show(0.2, 0.7, 1000)
show(0.3, 0.6, 2000)
show(0.2, 0.7, 2500)
show(0.3, 0.6, 2500)
show(0.2, 0.7, 3000)
