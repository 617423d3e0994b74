// Saving a histogram and going on with it.
#include <algorithm>
#include <cmath>

#include "base/packed.h"
#include "base/wire.h"
#include "usage/decayed_histogram.h"

namespace berth {

std::string DecayedHistogram::Save() const {
  std::string bytes;
  WireWriter writer(bytes);
  writer.PutInt(1, reference_.time_since_epoch().count());
  writer.PutUint(2, first_);
  writer.PutText(3, Packed<float>(weights_));
  writer.PutFixed(4, BitsOf(total_));
  writer.PutFixed(5, BitsOf(load_));
  writer.PutFixed(6, BitsOf(mean_sum_));
  writer.PutFixed(7, BitsOf(mean_weight_));
  return bytes;
}

Status DecayedHistogram::Restore(std::string_view bytes) {
  DecayedHistogram read(*buckets_, half_life_);
  WireReader reader(bytes);
  while (reader.Next()) {
    switch (reader.field()) {
      case 1:
        read.reference_ = Time(Duration(reader.Int()));
        break;
      case 2:
        read.first_ = reader.Uint<UsageBucket>();
        break;
      case 3:
        read.weights_ = Unpacked<float>(reader.Text());
        break;
      case 4:
        read.total_ = FromBits(reader.Fixed());
        break;
      case 5:
        read.load_ = FromBits(reader.Fixed());
        break;
      case 6:
        read.mean_sum_ = FromBits(reader.Fixed());
        break;
      case 7:
        read.mean_weight_ = FromBits(reader.Fixed());
        break;
      default:
        break;
    }
  }
  BERTH_RETURN_IF_ERROR(reader.status());
  const auto counts = [](double value) { return std::isfinite(value) && value >= 0; };
  const bool fits = read.first_ + read.weights_.size() <= Buckets::kCount &&
                    std::ranges::all_of(read.weights_, counts) && counts(read.total_) &&
                    counts(read.load_) && counts(read.mean_sum_) && counts(read.mean_weight_) &&
                    read.weights_.empty() == (read.total_ == 0);
  if (!fits) return {Code::kInvalidArgument, "this is no state of a decayed histogram"};
  *this = std::move(read);
  return {};
}

}  // namespace berth
