#include "perfmodel/slo_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.h"
#include "base/quantiles.h"
#include "base/text.h"

namespace berth {
namespace {

SloLimits Rated(const SloProblem& problem, std::vector<double> limits) {
  SloLimits rated{.limits = std::move(limits)};
  rated.predicted = problem.Predict(rated.limits);
  rated.value = problem.Value(rated.predicted);
  return rated;
}

// Whole milli-cores within bounds and capacity: what is above the least is cut alike.
std::vector<double> Fitted(const SloProblem& problem, std::vector<double> limits) {
  double least = 0, above = 0;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const ColumnRange bounds = problem.bounds(i);
    limits[i] = std::clamp(limits[i], bounds.least, bounds.most);
    least += bounds.least;
    above += limits[i] - bounds.least;
  }
  const double share =
      above > problem.capacity() - least ? (problem.capacity() - least) / above : 1;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const double bound = problem.bounds(i).least;
    limits[i] = std::max(std::ceil(bound), std::floor(bound + share * (limits[i] - bound) + 1e-6));
  }
  return limits;
}

std::vector<double> RandomStart(const SloProblem& problem, Rng rng) {
  std::vector<double> start(problem.applications());
  for (std::size_t i = 0; i < start.size(); ++i) {
    const ColumnRange bounds = problem.bounds(i);
    start[i] = bounds.least + rng.Unit() * (bounds.most - bounds.least);
  }
  return Fitted(problem, std::move(start));
}

// From every start; for each application in turn if `each`.
std::vector<std::vector<double>> Descents(const SloProblem& problem, bool each, const Rng& rng,
                                          std::size_t workers) {
  const std::size_t parts = each ? problem.applications() : 1;
  std::vector<std::vector<double>> found(parts * kRandomStarts);
  ForEachInParallel(found.size(), workers, [&](std::size_t i) {
    const auto application = each ? std::optional(i / kRandomStarts) : std::nullopt;
    found[i] = MinimiseFrom(problem, RandomStart(problem, rng.Fork(i)), application);
  });
  return found;
}

// Limits moved by steps, alone and from one to another, while that is better.
SloLimits Polished(const SloProblem& problem, SloLimits best) {
  const std::size_t count = best.limits.size();
  const auto take = [&](std::size_t up, std::size_t down, double step) {
    std::vector<double> moved = best.limits;
    if (up < count) moved[up] += step;
    if (down < count) moved[down] -= step;
    if (up < count && moved[up] > problem.bounds(up).most) return false;
    if (down < count && moved[down] < problem.bounds(down).least) return false;
    if (!problem.WithinCapacity(moved)) return false;
    SloLimits rated = Rated(problem, std::move(moved));
    if (!rated.value.Better(best.value)) return false;
    best = std::move(rated);
    return true;
  };
  for (const double step : {64.0, 8.0, 1.0}) {
    constexpr int kPassesMax = 16;
    for (int pass = 0; pass < kPassesMax; ++pass) {
      bool better = false;
      for (std::size_t i = 0; i < count; ++i) {
        better = take(i, count, step) || better;
        better = take(count, i, step) || better;
      }
      // What is gained elsewhere comes from a neighbour: all pairs would be too many.
      for (std::size_t i = 0; i < count; ++i) {
        better = take(i, (i + 1) % count, step) || better;
        better = take((i + 1) % count, i, step) || better;
      }
      if (!better) break;
    }
  }
  return best;
}

SloLimits Joint(const SloProblem& problem, const Rng& rng, std::size_t workers) {
  std::optional<SloLimits> best;
  for (std::vector<double>& limits : Descents(problem, false, rng, workers)) {
    SloLimits rated = Rated(problem, Fitted(problem, std::move(limits)));
    if (!best || rated.value.Better(best->value)) best = std::move(rated);
  }
  best = Polished(problem, *std::move(best));
  // Where objectives cannot be kept, to leave most to one of them may be best, and descents, which
  // take large steps, pass such corners by.
  std::vector<double> least(problem.applications());
  for (std::size_t i = 0; i < least.size(); ++i) least[i] = problem.bounds(i).least;
  SloLimits corner = Polished(problem, Rated(problem, Fitted(problem, std::move(least))));
  return corner.value.Better(best->value) ? corner : *std::move(best);
}

std::vector<double> Continuous(const SloProblem& problem, const Rng& rng, std::size_t workers) {
  const std::size_t count = problem.applications();
  const std::vector<std::vector<double>> found = Descents(problem, true, rng, workers);
  std::vector<double> average(count, 0);
  for (std::size_t application = 0; application < count; ++application) {
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<double> of_starts(kRandomStarts);
      for (std::size_t s = 0; s < kRandomStarts; ++s) {
        of_starts[s] = found[application * kRandomStarts + s][i];
      }
      average[i] += Quantile(of_starts, 0.5) / static_cast<double>(count);
    }
  }
  return Fitted(problem, std::move(average));
}

// The values of one limit on a grid.
std::vector<std::vector<double>> GridOf(const SloProblem& problem, double step) {
  std::vector<std::vector<double>> grid(problem.applications());
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const ColumnRange bounds = problem.bounds(i);
    const auto steps = static_cast<std::size_t>((bounds.most - bounds.least) / step);
    grid[i].reserve(steps + 1);
    for (std::size_t s = 0; s <= steps; ++s) {
      grid[i].push_back(bounds.least + step * static_cast<double>(s));
    }
  }
  return grid;
}

std::vector<std::vector<double>> GridAround(const SloProblem& problem,
                                            const std::vector<double>& middle) {
  const auto reach =
      static_cast<int>(HybridReach(problem.capacity(), problem.applications(), kHybridStep));
  std::vector<std::vector<double>> grid(middle.size());
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const ColumnRange bounds = problem.bounds(i);
    for (int s = -reach; s <= reach; ++s) {
      const double limit = middle[i] + kHybridStep * s;
      if (limit >= bounds.least && limit <= bounds.most) grid[i].push_back(limit);
    }
  }
  return grid;
}

// The best of the points whose first limit is this; the first of equals in the grid's order.
std::optional<SloLimits> BestOfSlice(const SloProblem& problem,
                                     const std::vector<std::vector<double>>& grid,
                                     std::size_t first) {
  std::optional<SloLimits> best;
  std::vector<std::size_t> at(grid.size(), 0);
  at[0] = first;
  std::vector<double> limits(grid.size());
  for (;;) {
    for (std::size_t i = 0; i < grid.size(); ++i) limits[i] = grid[i][at[i]];
    if (problem.WithinCapacity(limits)) {
      SloLimits rated = Rated(problem, limits);
      if (!best || rated.value.Better(best->value)) best = std::move(rated);
    }
    std::size_t next = grid.size() - 1;
    while (next > 0 && ++at[next] == grid[next].size()) at[next--] = 0;
    if (next == 0) return best;
  }
}

Result<SloLimits> BestOfGrid(const SloProblem& problem,
                             const std::vector<std::vector<double>>& grid, std::size_t workers) {
  double points = 1;
  for (const std::vector<double>& values : grid) points *= static_cast<double>(values.size());
  if (points > static_cast<double>(kGridPointsMax)) {
    return Status(Code::kInvalidArgument,
                  fmt::format("the grid has {:.1e} points, {} are the most; use joint", points,
                              FormatCount(kGridPointsMax)));
  }
  std::vector<std::optional<SloLimits>> of_slices(grid[0].size());
  ForEachInParallel(of_slices.size(), workers,
                    [&](std::size_t i) { of_slices[i] = BestOfSlice(problem, grid, i); });
  std::optional<SloLimits> best;
  for (std::optional<SloLimits>& one : of_slices) {
    if (one && (!best || one->value.Better(best->value))) best = std::move(one);
  }
  if (!best) return Status(Code::kInvalidArgument, "no point of the grid is within capacity");
  return *std::move(best);
}

}  // namespace

Result<SloMethod> ParseSloMethod(std::string_view name) {
  const auto* const found = std::ranges::find(kSloMethodNames, name);
  if (found != std::end(kSloMethodNames)) {
    return static_cast<SloMethod>(found - std::begin(kSloMethodNames));
  }
  return Status(Code::kInvalidArgument,
                fmt::format("there is no method {}; they are {}", Quoted(name),
                            fmt::join(kSloMethodNames, ", ")));
}

std::size_t HybridReach(double capacity_cpu_milli, std::size_t applications, double step) {
  return static_cast<std::size_t>(
      std::ceil(capacity_cpu_milli / (2 * static_cast<double>(applications) * step)));
}

Result<SloLimits> FindLimits(const SloProblem& problem, SloMethod method, Rng rng,
                             std::size_t workers) {
  switch (method) {
    case SloMethod::kJoint:
      return Joint(problem, rng, workers);
    case SloMethod::kContinuous:
      return Rated(problem, Continuous(problem, rng, workers));
    case SloMethod::kHybrid:
      return BestOfGrid(problem, GridAround(problem, Continuous(problem, rng, workers)), workers);
    case SloMethod::kGrid50:
      return BestOfGrid(problem, GridOf(problem, 50), workers);
    case SloMethod::kGrid10:
      return BestOfGrid(problem, GridOf(problem, 10), workers);
  }
  return Status(Code::kInternal, "no such method");
}

}  // namespace berth
