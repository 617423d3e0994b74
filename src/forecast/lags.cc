#include "forecast/lags.h"

#include <algorithm>

namespace berth {

std::vector<std::size_t> LagsFor(std::size_t points, std::span<const std::size_t> seasons) {
  std::vector<std::size_t> lags = {1, 2, 3};
  for (const std::size_t season : seasons) {
    for (const std::size_t lag : {season, season + 1}) {
      if (std::ranges::find(lags, lag) == lags.end()) lags.push_back(lag);
    }
  }
  // A lag costs as many rows as it is long; three rows a coefficient is the least.
  while (lags.size() > 1 && points < lags.back() + 3 * (lags.size() + 1)) lags.pop_back();
  return lags;
}

}  // namespace berth
