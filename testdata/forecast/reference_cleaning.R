# The figures that src/forecast/reference_cleaning_test.cc compares with, from R and its package
# forecast:
#   Rscript testdata/forecast/reference_cleaning.R
# The series are those of Planted(), Waves() and SmoothedSeries() there.
suppressMessages(library(forecast))
source("testdata/forecast/reference_made.R")

cat("outliers, from zero\n")
show <- function(kind, skip, values, season) {
  found <- tsoutliers(ts(values, frequency = season))
  cat(sprintf('{"%s", %d, %s},\n', kind, skip, listed(found$index - 1, "%d")))
}
planted <- function(values, size = 1) {
  at <- c(17, 60, 131, 200, 275) + 1
  values[at] <- values[at] + size * c(12, -15, 20, 14, -18)
  values
}
for (skip in c(0, 700, 1400)) {
  errors <- errors_after(skip, 300)
  i <- 0:299
  show("plain", skip, planted(50 + errors), 1)
  show("slope", skip, planted(50 + 0.1 * i + errors), 1)
  show("lingering", skip, planted(50 + process_of(errors, 0.8)), 1)
  show("season", skip, planted(100 + 30 * sin(2 * pi * i / 12) + errors), 12)
  show("day", skip, planted(100 + 30 * sin(2 * pi * i / 24) + 0.05 * i + 2 * errors, 2), 24)
  show("none", skip, 50 + process_of(errors, 0.5), 1)
}
values <- planted(50 + errors_after(0, 300))
cat("in their place", listed(tsoutliers(ts(values))$replacements, "%.6f"), "\n")
cleaned <- meanf(tsclean(ts(values)), h = 1, level = 95)
cat("average of the rest, and half its band", listed(c(cleaned$mean, cleaned$upper - cleaned$mean)),
    "\n")

cat("the period; one is none\n")
show <- function(kind, period, skip, values) {
  cat(sprintf('{"%s", %d, %d, %d},\n', kind, period, skip, findfrequency(values)))
}
for (skip in c(0, 3000)) {
  errors <- errors_after(skip, 480)
  i <- 0:479
  for (period in c(5, 7, 12, 24)) {
    wave <- sin(2 * pi * i / period)
    show("wave", period, skip, 50 + 10 * wave + 3 * errors)
    show("saw", period, skip, 50 + 0.05 * i + 20 / period * (i %% period) + 2 * errors)
    show("lingering", period, skip, 50 + 0.02 * i + 10 * wave + 3 * process_of(errors, 0.6))
  }
  for (period in c(30, 48, 60)) {
    show("wave", period, skip, 50 + 10 * sin(2 * pi * i / period) + 3 * errors)
  }
  show("noise", 0, skip, 50 + errors)
  show("ar", 0, skip, 50 + process_of(errors, 0.8))
  show("walk", 0, skip, 50 + summed(errors, 1))
}

cat("HoltWinters of given weights: after the points 31, 120 and 240\n")
values <- summed(process_of(errors_after(500, 240), ma = -0.7), 1)
at <- c(31, 120)
show <- function(name, fit, first) {
  fitted <- unclass(fit$fitted)
  # Rows are of the points that follow, the first of which is `first`.
  level <- fitted[at + 2 - first, "level"]
  cat(name, listed(c(level, coef(fit)["a"]), "%.8f"), "and the season at the end",
      listed(coef(fit)["s12"], "%.8f"), "\n")
}
level <- ts(50 + values)
show("simple", HoltWinters(level, alpha = 0.4, beta = FALSE, gamma = FALSE, l.start = 49), 2)
show("holt", HoltWinters(ts(50 + 0.5 * 1:240 + values), alpha = 0.4, beta = 0.25, gamma = FALSE,
                         l.start = 50, b.start = 1), 3)
seasonal <- ts(100 + 0.3 * 1:240 + 20 * sin(2 * pi * 0:239 / 12) + values, frequency = 12)
show("winters", HoltWinters(seasonal, alpha = 0.4, beta = 0.25, gamma = 0.3, l.start = 100,
                            b.start = 0.5, s.start = 10 * sin(2 * pi * 0:11 / 12)), 13)
