// Which seasons a series has, from the series alone.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace berth {

// How like itself one period before a series is, -1 to 1: its autocorrelation at that lag, once its
// moving average over the period is taken off, so that neither trend nor wandering counts. Zero of
// fewer than three periods, and where nothing is left beside the average.
double Repetition(std::span<const double> values, std::size_t period);

// The shortest period that repeats clearly, over two of it as well, and more than half of it and
// all between half of it and one and a half times it; then, once its average shape is taken off,
// the shortest multiple of it that does, and so on, up to four. Clearly: by 0.3, and by five times
// what chance makes of such points. Three periods must be there. Only the last 10,000 points are
// looked at, so that none is longer than 3,333. Ascending; empty of a series without. No value is a
// gap.
//
// The shortest is within a sixteenth the length whose average shape leaves least, which is that of
// which points 2, 3, ... periods apart are alike, too; or a `usual` one if that leaves no more than
// chance explains.
std::vector<std::size_t> DetectSeasons(std::span<const double> values,
                                       std::span<const std::size_t> usual = {});

}  // namespace berth
