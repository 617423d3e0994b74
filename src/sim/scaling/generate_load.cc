#include "sim/scaling/generate_load.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <ostream>

#include "berth/rng.h"

namespace berth {
namespace {

constexpr std::int64_t kLoadBeginMillis = 1'704'067'200'000;  // A Monday.
constexpr int kMinutesADay = 24 * 60;
constexpr double kLoadMilli = 6'000;
constexpr double kMilliARequest = 20;  // Of those that wait, at a time.

class LoadMaker {
 public:
  LoadMaker(bool tenfold, std::uint64_t seed) : tenfold_(tenfold), rng_(seed) {}

  double At(int minute) {
    const double noise = 1 + 0.03 * rng_.Normal();
    if (tenfold_) return kLoadMilli * (minute / kMinutesADay / 2 % 2 == 1 ? 10 : 1) * noise;
    if (burst_ > 0) {
      --burst_;
    } else if (rng_.Unit() < 0.0005) {
      burst_ = static_cast<int>(5 + rng_.Below(40));
    }
    const double day = static_cast<double>(minute % kMinutesADay) / kMinutesADay;
    const double wave = 1 + 0.7 * std::sin(2 * std::numbers::pi * (day - 0.25));
    const bool weekend = minute / kMinutesADay % 7 >= 5;
    return kLoadMilli * wave * (weekend ? 0.4 : 1) * (burst_ > 0 ? 2 : 1) * noise;
  }

 private:
  bool tenfold_;
  Rng rng_;
  int burst_ = 0;  // So many more minutes.
};

}  // namespace

void GenerateLoad(const LoadShape& shape, std::uint64_t seed, std::ostream& out) {
  out << "at_ms,cpu_milli,queue\n";
  LoadMaker maker(shape.tenfold, seed);
  const int step = shape.tenfold ? 5 : 1;
  for (int minute = 0; minute < static_cast<int>(shape.days) * kMinutesADay; minute += step) {
    const double load = maker.At(minute);
    out << fmt::format("{},{:.0f},{:.0f}\n", kLoadBeginMillis + minute * 60'000LL, load,
                       load / kMilliARequest);
  }
}

}  // namespace berth
