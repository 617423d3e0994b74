# The figures that src/forecast/reference_bursts_test.cc compares with, from R and its packages
# forecast and fGarch (r-cran-fgarch):
#   Rscript testdata/forecast/reference_bursts.R
# The series are those of Bursts() there.
#
# fGarch estimates the level as well, ours is the mean square. So its likelihood is compared at its
# own estimates, and estimates and forecasts are those where its likelihood is greatest among the
# models of our level. Its first variance is one step after the mean square, which with our level is
# the mean square, as ours.
suppressMessages(library(forecast))
suppressMessages(library(fGarch))
source("testdata/forecast/reference_made.R")

bursts <- function(skip, of_square, of_variance) {
  variance <- 1
  values <- numeric(0)
  for (error in errors_after(skip, 400)) {
    values <- c(values, sqrt(variance) * error)
    variance <- 0.1 + of_square * values[length(values)]^2 + of_variance * variance
  }
  50 + 2 * values
}

# Minus the logarithm of the likelihood, of the errors that garchFit was given last.
likelihood_at <- function(parameters) fGarch:::.garchLLH(parameters, trace = FALSE)

fitted_to <- function(errors) {
  free <- suppressWarnings(garchFit(~ garch(1, 1), data = errors, include.mean = FALSE,
                                    trace = FALSE))
  square <- mean(errors^2)
  with_level <- function(shares) {
    c(omega = (1 - sum(shares)) * square, alpha1 = shares[1], beta1 = shares[2])
  }
  value <- function(shares) {
    if (min(shares) < 0 || sum(shares) > 0.999) 1e10 else likelihood_at(with_level(shares))
  }
  found <- lapply(list(c(0.1, 0.8), c(0.05, 0.45), coef(free)[2:3]), function(start) {
    optim(start, value, control = list(reltol = 1e-14, maxit = 5000))
  })
  best <- found[[which.min(sapply(found, function(one) one$value))]]
  shares <- best$par
  variance <- square
  for (error in errors) variance <- sum(with_level(shares) * c(1, error^2, variance))
  ahead <- square + (variance - square) * sum(shares)^(0:23)
  list(free = coef(free), free_value = free@fit$llh, shares = shares, value = best$value,
       stretch = sqrt(ahead / square))
}

shown <- function(fit) {
  paste0(listed(fit$free, "%.8f"), ", ", sprintf("%.6f", fit$free_value), ", ",
         listed(fit$shares, "%.6f"), ", ", sprintf("%.6f", fit$value))
}
steps <- c(1, 5, 24)
show <- function(of_square, of_variance, skip) {
  values <- bursts(skip, of_square, of_variance)
  # What the method sees: the errors of one step ahead over the last 200 points.
  fit <- fitted_to(sapply(201:400, function(t) values[t] - mean(values[1:(t - 1)])))
  plain <- meanf(values, level = 95, h = 24)
  half <- (plain$upper - plain$mean)[1]
  cat(sprintf("{%g, %g, %d, {%s},\n {%s}, %.4f, %s},\n", of_square, of_variance, skip, shown(fit),
              shown(fitted_to(values - mean(values))), half, listed(half * fit$stretch[steps])))
}
show(0.2, 0.7, 0)
show(0.2, 0.7, 1000)
show(0.3, 0.6, 2000)
show(0.2, 0.7, 2500)
show(0.3, 0.6, 2500)
show(0.2, 0.7, 3000)
