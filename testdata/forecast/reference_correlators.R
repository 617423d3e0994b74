# The figures that src/forecast/correlator_test.cc compares with, from R and its packages energy and
# minerva:
#   Rscript testdata/forecast/reference_correlators.R
# The series are those of CorrelatedSeries() there.
suppressMessages(library(energy))
suppressMessages(library(minerva))
i <- 0:79
x <- sin(0.9 * i) + 0.1 * (i %% 7)
y <- x^2 + 0.3 * cos(1.7 * i * i)
show <- function(name, figure) cat(name, sprintf("%.9f", figure), "\n")
show("distance", dcor(x, y))
show("distance_unbiased", bcdcor(x, y))
coarse <- round(3 * x)
for (kind in c("fine", "with ties")) {
  found <- mine(if (kind == "fine") x else coarse, y, alpha = 0.6, C = 15, p = -1,
                normalization = TRUE)
  for (name in c("MIC", "MAS", "MEV", "TIC", "GMIC")) show(paste(name, kind), found[[name]])
}
