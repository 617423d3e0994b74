// Saving an ensemble and going on with it.
#include <algorithm>

#include "base/packed.h"
#include "base/wire.h"
#include "rightsize/ensemble.h"

namespace berth {

std::string Ensemble::Save() const {
  std::string bytes;
  WireWriter writer(bytes);
  writer.PutText(1, Packed<UsageBucket>(places_));
  writer.PutText(2, Packed<Costs>(costs_));
  followed_.Save(writer);
  return bytes;
}

Status Ensemble::Restore(std::string_view bytes) {
  Ensemble read(models_, weights_);
  WireReader reader(bytes);
  while (reader.Next()) {
    if (reader.field() == 1) read.places_ = Unpacked<UsageBucket>(reader.Text());
    if (reader.field() == 2) read.costs_ = Unpacked<Costs>(reader.Text());
    read.followed_.Take(reader);
  }
  BERTH_RETURN_IF_ERROR(reader.status());
  const bool fits = read.places_.size() >= 2 && read.places_.front() == 0 &&
                    read.places_.back() == Buckets::kCount &&
                    std::ranges::adjacent_find(read.places_, std::ranges::greater_equal()) ==
                        read.places_.end() &&
                    read.costs_.size() == models_.decays.size() * read.places_.size() &&
                    read.followed_.IsSound();
  if (!fits) return {Code::kInvalidArgument, "this is no state of an ensemble of these models"};
  places_ = std::move(read.places_);
  costs_ = std::move(read.costs_);
  followed_ = std::move(read.followed_);
  return {};
}

}  // namespace berth
