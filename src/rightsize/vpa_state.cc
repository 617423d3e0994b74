// Saving VPA's histogram and going on with it.
#include <algorithm>
#include <cmath>

#include "base/packed.h"
#include "base/wire.h"
#include "rightsize/recommenders/vpa.h"

namespace berth {

std::string Vpa::Save() const {
  std::string bytes;
  WireWriter writer(bytes);
  writer.PutText(1, Packed<double>(weights_));
  writer.PutFixed(2, BitsOf(total_));
  writer.PutInt(3, reference_.time_since_epoch().count());
  if (since_) writer.PutText(4, Packed<Time>(std::span(&*since_, 1)));
  writer.PutInt(5, until_.time_since_epoch().count());
  writer.PutUint(6, minutes_);
  if (peak_) writer.PutText(7, Packed<double>(std::span(&*peak_, 1)));
  writer.PutInt(8, peak_day_.time_since_epoch().count());
  writer.PutInt(9, peak_at_.time_since_epoch().count());
  return bytes;
}

Status Vpa::Restore(std::string_view bytes) {
  Vpa read({.resource = resource_});
  std::vector<double> weights;
  std::vector<Time> since;
  std::vector<double> peak;
  WireReader reader(bytes);
  while (reader.Next()) {
    switch (reader.field()) {
      case 1:
        weights = Unpacked<double>(reader.Text());
        break;
      case 2:
        read.total_ = FromBits(reader.Fixed());
        break;
      case 3:
        read.reference_ = Time(Duration(reader.Int()));
        break;
      case 4:
        since = Unpacked<Time>(reader.Text());
        break;
      case 5:
        read.until_ = Time(Duration(reader.Int()));
        break;
      case 6:
        read.minutes_ = reader.Uint();
        break;
      case 7:
        peak = Unpacked<double>(reader.Text());
        break;
      case 8:
        read.peak_day_ = Time(Duration(reader.Int()));
        break;
      case 9:
        read.peak_at_ = Time(Duration(reader.Int()));
        break;
      default:
        break;
    }
  }
  BERTH_RETURN_IF_ERROR(reader.status());
  const auto counts = [](double value) { return std::isfinite(value) && value >= 0; };
  const bool fits = weights.size() == kBuckets && std::ranges::all_of(weights, counts) &&
                    std::isfinite(read.total_) && since.size() <= 1 && peak.size() <= 1;
  if (!fits) return {Code::kInvalidArgument, "this is no state of VPA's histogram"};
  std::ranges::copy(weights, read.weights_.begin());
  if (!since.empty()) read.since_ = since.front();
  if (!peak.empty()) read.peak_ = peak.front();
  *this = read;
  return {};
}

}  // namespace berth
