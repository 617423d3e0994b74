// Seasonal-trend decomposition by LOESS (Cleveland, Cleveland, McRae and Terpenning 1990), and the
// same for several seasons one after the other (MSTL: Bandara, Hyndman and Bergmeir 2021), with the
// windows that R's stl and forecast::mstl take.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace berth {

// Locally weighted regression of equally spaced values. `degree` is 0 or 1; every `jump`-th value
// is fitted and those between are on straight lines.
struct LoessOptions {
  std::size_t window = 0;  // Odd. Longer than the values: nearly as if there were more of them.
  int degree = 1;
  std::size_t jump = 1;
};
std::vector<double> Loess(std::span<const double> values, const LoessOptions& options);

struct StlParts {
  std::vector<double> season;
  std::vector<double> trend;
};
// At least two periods. The season's window is in periods, odd.
StlParts Stl(std::span<const double> values, std::size_t period, std::size_t season_window);

struct MstlParts {
  std::vector<std::vector<double>> seasons;  // In the order of the periods.
  std::vector<std::vector<double>> trends;   // The one beside each of those.
  std::vector<double> adjusted;              // The values without the seasons.
};
// The window of the season that comes at this place, and how with it values a period apart are
// smoothed.
std::size_t SeasonWindow(std::size_t place);
LoessOptions SeasonSmoothing(std::size_t season_window);

// Ascending periods, of each at least two.
MstlParts Mstl(std::span<const double> values, std::span<const std::size_t> periods);

}  // namespace berth
