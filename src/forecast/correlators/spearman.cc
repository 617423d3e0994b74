#include <algorithm>
#include <numeric>
#include <vector>

#include "forecast/correlators/builtin.h"
#include "forecast/pearson.h"

namespace berth {
namespace {

// Equal values share the average of their ranks.
std::vector<double> RanksOf(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
  std::vector<double> ranks(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    const double shared = static_cast<double>(begin + end - 1) / 2;
    for (; begin < end; ++begin) ranks[order[begin]] = shared;
  }
  return ranks;
}

}  // namespace

std::optional<double> CorrelateSpearman(std::span<const double> x, std::span<const double> y) {
  return PearsonOf(RanksOf(x), RanksOf(y));
}

}  // namespace berth
