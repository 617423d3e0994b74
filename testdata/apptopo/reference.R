# The figures that src/apptopo/reference_test.cc compares with, from R alone:
#   Rscript testdata/apptopo/reference.R
samples <- list(
  star = c(1, 1, 1, 1, 1, 1, 1, 7),
  hubs = c(1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 4, 9),
  even = c(1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4),
  middle = c(1, 2, 2, 3, 3, 3, 3, 4, 4, 5),
  six = c(1, 1, 2, 2, 3, 5),
  pairs = c(2, 2, 2, 2, 2, 3, 3, 4))

# The sum of k^-alpha from `from` on, another way than ours: a long sum and the midpoint integral.
zeta <- function(alpha, from) {
  k <- from + 0:99999
  sum(k^-alpha) + (from + 100000 - 0.5)^(1 - alpha) / (alpha - 1)
}

for (name in names(samples)) {
  d <- samples[[name]]
  n <- length(d)
  low <- min(d)
  fit <- optimize(function(a) -n * log(zeta(a, low)) - a * sum(log(d)), c(1.001, 20),
                  maximum = TRUE, tol = 1e-10)
  range <- low:max(d)
  foreseen <- cumsum(range^-fit$maximum) / zeta(fit$maximum, low)
  distance <- max(abs(ecdf(d)(range) - foreseen))
  shapiro <- shapiro.test(d)
  counts <- tabulate(d - low + 1)
  set.seed(1)
  chi <- chisq.test(counts, simulate.p.value = TRUE, B = 200000)
  cat(sprintf("{\"%s\", %.6f, %.6f, %.6f, %.8f, %.8f, %.4f},\n", name, fit$maximum, distance,
              1 - .Call(stats:::C_pKS2, sqrt(n) * distance, 1e-12), shapiro$statistic, shapiro$p.value,
              chi$p.value))
}
cat(sprintf("zeta(2.5, 1) %.10f zeta(1.2, 3) %.10f\n", zeta(2.5, 1), zeta(1.2, 3)))
large <- c(1:40, (1:40)^2 / 30)
cat(sprintf("80 values: W %.8f p %.10f\n", shapiro.test(large)$statistic,
            shapiro.test(large)$p.value))
