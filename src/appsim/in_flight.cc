#include "appsim/in_flight.h"

#include <algorithm>

#include "berth/check.h"

namespace berth {

InFlight::InFlight(const std::vector<std::vector<AppCall>>& calls) {
  types_.resize(calls.size());
  for (std::size_t i = 0; i < calls.size(); ++i) {
    types_[i].parts = static_cast<std::uint32_t>(calls[i].size());
  }
}

std::uint32_t InFlight::Add(std::uint32_t type, std::int64_t now, std::uint64_t number) {
  OfType& of_type = types_[type];
  std::uint32_t index = of_type.free;
  if (index != kNone) {
    of_type.free = requests_[index].after;
  } else {
    BERTH_CHECK(parts_.size() + of_type.parts < kNone);
    index = static_cast<std::uint32_t>(requests_.size());
    requests_.push_back({.type = type, .first_part = parts()});
    for (std::uint32_t call = 0; call < of_type.parts; ++call) {
      parts_.push_back({.request = index, .call = static_cast<std::uint16_t>(call)});
    }
  }
  RequestUnderWay& request = requests_[index];
  request.sent = now;
  request.number = number;
  request.over = false;
  request.events = 0;
  request.after = kNone;
  request.before = of_type.newest;
  (of_type.newest == kNone ? of_type.oldest : requests_[of_type.newest].after) = index;
  of_type.newest = index;
  count_max_ = std::max(count_max_, ++count_);
  return index;
}

void InFlight::End(std::uint32_t index) {
  RequestUnderWay& request = requests_[index];
  OfType& of_type = types_[request.type];
  (request.before == kNone ? of_type.oldest : requests_[request.before].after) = request.after;
  (request.after == kNone ? of_type.newest : requests_[request.after].before) = request.before;
  request.over = true;
  if (request.events == 0) Free(index);
}

void InFlight::Free(std::uint32_t index) {
  RequestUnderWay& request = requests_[index];
  for (std::uint32_t i = 0; i < types_[request.type].parts; ++i) {
    parts_[request.first_part + i].place = RequestPart::Place::kNowhere;
  }
  request.after = types_[request.type].free;
  types_[request.type].free = index;
  --count_;
}

}  // namespace berth
