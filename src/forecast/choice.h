// Which of several candidates to keep, by what each foresaw of the points held out, and by how much
// its bands were too narrow or too wide there.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "forecast/candidates.h"

namespace berth {

// One week tells little of which method is best the next one; the weighted mean of all is rarely
// far from the best. So one alone is kept only if its score is below this share of the mean's.
inline constexpr double kDecisiveShare = 0.6;

struct Choice {
  std::optional<std::size_t> single{};  // None: all, weighted.
  std::vector<double> weights{};
  // Of the weighted mean: on each half of the points held out, with weights of the other half.
  double mix_score = 0;
  double stretch = 1;  // Of the bands, about the mean.
};

// `actual` are the points held out.
Choice ChooseAmong(const Candidates& candidates, std::span<const double> actual);

// The factor by which bands would have held nearly all points, 97.5%, limited to 0.5 to 2.5, and of
// that the fourth root: the next points are not the last.
double StretchFor(const Forecast& foreseen, std::span<const double> actual);

void StretchBands(Forecast& forecast, double factor);

}  // namespace berth
