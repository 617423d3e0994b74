# The figures that src/forecast/reference_smoothing_test.cc compares with, from R and its package
# forecast:
#   Rscript testdata/forecast/reference_smoothing.R
# It takes minutes. The series are ReferenceSeries() and SmoothedSeries() of
# src/forecast/reference_series_testing.h and MovingSeason() of the test.
suppressMessages(library(forecast))
source("testdata/forecast/reference_made.R")
steps <- c(1, 12, 24)

reference_series <- function() {
  state <- 12345
  wander <- 0
  values <- numeric(0)
  for (i in 0:239) {
    state <- (16807 * state) %% 2147483647
    wander <- 0.7 * wander + state / 2147483647 - 0.5
    values <- c(values, 50 + 10 * (i %% 12) + 0.02 * i + 8 * wander)
  }
  ts(values, frequency = 12)
}

# The search of ets stops short: what it comes to when it is begun again where it ended, as often as
# that helps. The likelihood is that of ets.
continued <- function(fit) {
  part <- function(par, name, otherwise) if (name %in% names(par)) par[[name]] else otherwise
  season <- fit$components[3]
  follow <- function(par) {
    names(par) <- names(fit$par)
    alpha <- part(par, "alpha", 0)
    beta <- part(par, "beta", 1e-4)
    gamma <- part(par, "gamma", 1e-4)
    phi <- part(par, "phi", 0.9)
    if (min(alpha, beta, gamma) < 1e-4 || alpha > 0.9999 || beta > alpha || gamma > 1 - alpha ||
        phi < 0.8 || phi > 0.98) return(list(lik = 1e10))
    start <- par[names(par) %in% c("l", "b")]
    indices <- par[grepl("^s", names(par))]
    if (season != "N") start <- c(start, indices, (if (season == "M") 12 else 0) - sum(indices))
    forecast:::pegelsresid.C(fit$x, if (season == "N") 1 else 12, start, fit$components[1],
                             fit$components[2], season, fit$components[4] == "TRUE", alpha, beta,
                             gamma, phi, 3)
  }
  value_of <- function(par) {
    value <- follow(par)$lik
    if (is.na(value) || value < -1e10) 1e10 else value
  }
  before <- follow(fit$par)
  value <- before$lik
  for (round in 1:60) {
    found <- optim(fit$par, value_of, control = list(maxit = 5000, reltol = 1e-12,
                                                     parscale = pmax(abs(fit$par), 1e-3)))
    fit$par <- setNames(found$par, names(fit$par))
    if (value - found$value < 1e-5) break
    value <- found$value
  }
  after <- follow(fit$par)
  fit$aicc <- fit$aicc + after$lik - before$lik
  fit$sigma2 <- fit$sigma2 * sum(after$e^2) / sum(before$e^2)
  fit$states[nrow(fit$states), ] <- after$states[nrow(after$states), ]
  fit
}

cat("Forms: AICc, and that of the search continued\n")
series <- reference_series()
forms <- list(c("ANN"), c("AAN"), c("AAN", "d"), c("ANA"), c("AAA"), c("AAA", "d"), c("MNN"),
              c("MNA"), c("MAA", "d"), c("MNM"), c("MAM"), c("MAM", "d"))
if (!"quick" %in% commandArgs(TRUE)) for (form in forms) {
  fit <- ets(series, form[1], damped = length(form) > 1)
  cat(sprintf("%s %.4f %.4f\n", fit$method, fit$aicc, continued(fit)$aicc))
}

cat("Models as ets leaves them; its starting season is the latest first\n")
of_bands <- function(fit) {
  ahead <- forecast(fit, h = 24, level = 95)
  list(mean = ahead$mean[steps], half = (ahead$upper - ahead$mean)[steps])
}
show_model <- function(fit, ahead = of_bands(fit)) {
  cat(fit$method, "weights", sprintf("%.10g", fit$par[c("alpha", "beta", "gamma", "phi")]),
      "start", sprintf("%.10g", fit$initstate), "variance", sprintf("%.8g", fit$sigma2),
      "likelihood", sprintf("%.6f", fit$loglik), listed(ahead$mean), listed(ahead$half), "\n")
}
for (form in list(c("AAA"), c("AAN", "d"), c("MAA", "d"), c("MAM", "d"))) {
  show_model(ets(series, form[1], damped = length(form) > 1))
}

# The bands of forecast 8.20 are wrong where a season moves beside no trend (its class1 takes the
# third state for the season's first) and beside a damped one (its class3 lacks a phi): those are of
# 100,000 futures, whose deviation is known to 0.2%.
of_futures <- function(fit) {
  set.seed(1)
  futures <- replicate(100000, simulate(fit, nsim = 24, future = TRUE)[steps])
  show_model(fit, list(mean = rowMeans(futures), half = qnorm(0.975) * apply(futures, 1, sd)))
}
cat("Of a season that moves, with given weights\n")
moving_season <- function() {
  level <- 100
  season <- c(1.3, 0.9, 0.8, 1)
  errors <- errors_after(0, 200)
  values <- numeric(0)
  for (t in 1:200) {
    values <- c(values, level * season[1] * (1 + 0.03 * errors[t]))
    season <- c(season[-1], season[1] * (1 + 0.25 * 0.03 * errors[t]))
    level <- level * (1 + 0.3 * 0.03 * errors[t])
  }
  ts(values, frequency = 4)
}
values <- moving_season()
show_model(ets(values, "MNM", alpha = 0.3, gamma = 0.25))
show_model(ets(values, "MAM", damped = FALSE, alpha = 0.3, beta = 0.05, gamma = 0.25))
of_futures(ets(values, "MAM", damped = TRUE, alpha = 0.3, beta = 0.05, gamma = 0.25, phi = 0.9))
show_model(ets(values, "MAA", damped = FALSE, alpha = 0.3, beta = 0.05, gamma = 0.25))
of_futures(ets(values, "ANA", alpha = 0.3, gamma = 0.25))

cat("Whole methods: what ets comes to with the form that ours selects\n")
smoothed_series <- function(kind, skip) {
  errors <- errors_after(skip, 240)
  level <- summed(process_of(errors, ma = if (kind == "simple_exponential") -0.6 else -0.7), 1)
  i <- 1:240
  switch(kind, simple_exponential = ts(50 + level), holt = ts(50 + 0.5 * i + 2 * level),
         holt_winters = ts(100 + 0.3 * i + 20 * sin(2 * pi * (i - 1) / 12) + level, frequency = 12))
}
show_method <- function(kind, skip, form) {
  fit <- continued(ets(smoothed_series(kind, skip), form, damped = FALSE))
  ahead <- forecast(fit, h = 24, level = 95)
  cat(sprintf('{"%s", %d, "%s", %s, %s},\n', kind, skip, fit$method, listed(ahead$mean[steps]),
              listed((ahead$upper - ahead$mean)[steps])))
}
show_method("simple_exponential", 0, "ANN")
show_method("simple_exponential", 500, "MNN")
show_method("simple_exponential", 1000, "AAN")
for (skip in c(0, 500, 1000)) show_method("holt", skip, "AAN")
for (skip in c(0, 500, 1000)) show_method("holt_winters", skip, "AAA")
