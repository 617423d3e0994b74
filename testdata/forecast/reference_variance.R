# The figures that src/forecast/garch_test.cc and fractional_test.cc compare with, from R and its
# packages tseries and fracdiff:
#   Rscript testdata/forecast/reference_variance.R
# The series are those of GarchErrors() and LongMemory() there.
suppressMessages(library(tseries))
suppressMessages(library(fracdiff))
source("testdata/forecast/reference_made.R")
state <- 12345  # From the beginning: the file above draws some of its own.
show <- function(name, figures) cat(name, sprintf("%.6f", figures), "\n")
errors <- numeric(1000)
variance <- 1
for (i in 1:1000) {
  errors[i] <- sqrt(variance) * normal()
  variance <- 0.1 + 0.2 * errors[i]^2 + 0.7 * variance
}
show("first errors", errors[1:3])
# From its own start it ends elsewhere.
fit <- garch(errors, c(1, 1), control = garch.control(trace = FALSE, start = c(0.2, 0.1, 0.8)))
show("constant, of square, of variance", coef(fit))
noise <- sapply(1:600, function(i) normal())
weights <- cumprod(c(1, (0:598 + 0.3) / (1:599)))
memory <- sapply(1:600, function(i) sum(weights[1:i] * noise[i:1]))
memory <- memory - mean(memory)
show("first values", memory[1:3])
show("memory without autoregression", fracdiff(memory)$d)
show("memory with two", fracdiff(memory, nar = 2)$d)
