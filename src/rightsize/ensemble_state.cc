// Saving an ensemble and going on with it.
#include <algorithm>

#include "base/wire.h"
#include "rightsize/ensemble.h"
#include "usage/packed.h"

namespace berth {

std::string Ensemble::Save() const {
  std::string bytes;
  WireWriter writer(bytes);
  writer.PutText(1, Packed<UsageBucket>(places_));
  writer.PutText(2, Packed<Costs>(costs_));
  writer.PutText(3, Packed<UsageBucket>(chosen_));
  writer.PutText(4, Packed<UsageBucket>(limits_));
  writer.PutText(5, Packed<float>(history_));
  if (limit_) writer.PutUint(6, *limit_ + 1U);
  if (model_) writer.PutUint(7, *model_ + 1U);
  return bytes;
}

Status Ensemble::Restore(std::string_view bytes) {
  Ensemble read(models_, weights_);
  std::uint64_t limit = 0;
  std::uint64_t model = 0;
  WireReader reader(bytes);
  while (reader.Next()) {
    switch (reader.field()) {
      case 1:
        read.places_ = Unpacked<UsageBucket>(reader.Text());
        break;
      case 2:
        read.costs_ = Unpacked<Costs>(reader.Text());
        break;
      case 3:
        read.chosen_ = Unpacked<UsageBucket>(reader.Text());
        break;
      case 4:
        read.limits_ = Unpacked<UsageBucket>(reader.Text());
        break;
      case 5:
        read.history_ = Unpacked<float>(reader.Text());
        break;
      case 6:
        limit = reader.Uint();
        break;
      case 7:
        model = reader.Uint();
        break;
      default:
        break;
    }
  }
  BERTH_RETURN_IF_ERROR(reader.status());
  const auto in_range = [](UsageBucket bucket) { return bucket < Buckets::kCount; };
  const std::size_t decays = models_.decays.size();
  const bool fits =
      read.places_.size() >= 2 && read.places_.front() == 0 &&
      read.places_.back() == Buckets::kCount &&
      std::ranges::adjacent_find(read.places_, std::ranges::greater_equal()) ==
          read.places_.end() &&
      read.costs_.size() == decays * read.places_.size() &&
      (read.chosen_.empty() || read.chosen_.size() == decays) &&
      read.limits_.size() == models_.size() && read.history_.size() == models_.size() &&
      std::ranges::all_of(read.chosen_, in_range) && std::ranges::all_of(read.limits_, in_range) &&
      limit <= Buckets::kCount && model <= models_.size() && (limit > 0) == (model > 0);
  if (!fits) return {Code::kInvalidArgument, "this is no state of an ensemble of these models"};
  places_ = std::move(read.places_);
  costs_ = std::move(read.costs_);
  chosen_ = std::move(read.chosen_);
  limits_ = std::move(read.limits_);
  history_ = std::move(read.history_);
  limit_.reset();
  model_.reset();
  if (limit > 0) limit_ = static_cast<UsageBucket>(limit - 1);
  if (model > 0) model_ = static_cast<std::uint32_t>(model - 1);
  return {};
}

}  // namespace berth
