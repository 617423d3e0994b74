# What R's forecast package foresees of the series in FOLDER/series.csv, to FOLDER/forecasts.csv.
#   Rscript peers.R FOLDER HOW_MANY_FOR_THE_SLOW_ONES
suppressMessages(library(forecast))
arguments <- commandArgs(TRUE)
series <- read.csv(file.path(arguments[1], "series.csv"), header = FALSE)
rows <- NULL
run <- function(method, k, foresee) {
  took <- system.time(found <- foresee())
  data.frame(method = method, series = k - 1, cpu_s = took[["user.self"]] + took[["sys.self"]],
             mean = as.numeric(found$mean), lower = as.numeric(found$lower[, 1]),
             upper = as.numeric(found$upper[, 1]))
}
for (k in seq_len(nrow(series))) {
  y <- as.numeric(series[k, ])
  rows <- rbind(rows, run("r_mstl", k, function()
    forecast(mstl(msts(y, c(24, 168))), h = 168, level = 95)))
  if (k <= as.integer(arguments[2])) {
    rows <- rbind(rows, run("r_ets", k, function()
      forecast(ets(ts(y, frequency = 24)), h = 168, level = 95)))
    rows <- rbind(rows, run("r_auto_arima", k, function()
      forecast(auto.arima(ts(y, frequency = 24)), h = 168, level = 95)))
  }
}
write.csv(rows, file.path(arguments[1], "forecasts.csv"), row.names = FALSE, quote = FALSE)
