# What the scripts reference_selection.R, reference_memory.R, reference_bursts.R,
# reference_cleaning.R and reference_variance.R make their series of. The functions are those of
# src/forecast/reference_series_testing.h.
state <- 12345
draw <- function() {
  state <<- (16807 * state) %% 2147483647
  state / 2147483647
}
# Nearly normal: twelve uniform draws.
normal <- function() {
  sum <- 0
  for (i in 1:12) sum <- sum + draw()
  sum - 6
}
drawn <- sapply(1:8000, function(i) normal())
# `count` errors, after the first so many that others take.
errors_after <- function(skip, count) drawn[skip + 1:count]
# An ARMA process, from nothing. Coefficients of lags 1, 2, ...
process_of <- function(errors, ar = numeric(0), ma = numeric(0)) {
  values <- numeric(0)
  for (t in seq_along(errors)) {
    value <- errors[t]
    for (i in seq_along(ar)) if (t > i) value <- value + ar[i] * values[t - i]
    for (j in seq_along(ma)) if (t > j) value <- value + ma[j] * errors[t - j]
    values <- c(values, value)
  }
  values
}
# Sums that undo differences of a lag.
summed <- function(values, lag) {
  for (t in seq_along(values)) if (t > lag) values[t] <- values[t] + values[t - lag]
  values
}
listed <- function(figures, format = "%.4f") {
  paste0("{", paste(sprintf(format, figures), collapse = ", "), "}")
}
