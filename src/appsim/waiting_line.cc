#include "appsim/waiting_line.h"

#include <algorithm>
#include <functional>

namespace berth {

WaitingLine::WaitingLine(const AppBuffer& settings, const std::vector<AppRequestType>& types)
    : order_(settings.order), capacity_(settings.capacity), held_(types.size()) {
  capacity_.resize(types.size());
  level_of_.resize(types.size());
  std::vector<std::int64_t> priorities = {0};
  if (order_ == BufferOrder::kPriority) {
    priorities.clear();
    priorities.reserve(types.size());
    for (const AppRequestType& type : types) priorities.push_back(type.priority);
    std::ranges::sort(priorities, std::greater<>());
    priorities.erase(std::unique(priorities.begin(), priorities.end()), priorities.end());
    for (std::size_t i = 0; i < types.size(); ++i) {
      level_of_[i] = static_cast<std::uint32_t>(std::ranges::find(priorities, types[i].priority) -
                                                priorities.begin());
    }
  }
  levels_.resize(priorities.size());
}

std::uint32_t WaitingLine::First() const {
  if (size_ == 0) return kNone;
  if (order_ == BufferOrder::kOldestFirst) return aged_.front().part;
  if (order_ == BufferOrder::kLifo) return levels_.front().last;
  for (const Level& level : levels_) {
    if (level.first != kNone) return level.first;
  }
  return kNone;
}

bool WaitingLine::WouldBeFirst(const InFlight& in_flight, std::uint32_t part) const {
  if (size_ == 0 || order_ == BufferOrder::kLifo) return true;
  const RequestUnderWay& request = in_flight.request(in_flight.part(part).request);
  if (order_ == BufferOrder::kOldestFirst) return request.sent < aged_.front().sent;
  for (std::uint32_t level = 0; level <= level_of_[request.type]; ++level) {
    if (levels_[level].first != kNone) return false;
  }
  return true;
}

void WaitingLine::Add(InFlight& in_flight, std::uint32_t index) {
  RequestPart& part = in_flight.part(index);
  const RequestUnderWay& request = in_flight.RequestOf(part);
  ++size_;
  ++held_[request.type];
  if (order_ == BufferOrder::kOldestFirst) {
    aged_.emplace_back();
    SiftUp(in_flight, aged_.size() - 1,
           {.sent = request.sent, .ticket = ++tickets_, .part = index});
    return;
  }
  Level& level = levels_[level_of_[request.type]];
  part.before = level.last;
  part.after = kNone;
  (level.last == kNone ? level.first : in_flight.part(level.last).after) = index;
  level.last = index;
}

void WaitingLine::Remove(InFlight& in_flight, std::uint32_t index) {
  const RequestPart& part = in_flight.part(index);
  const std::uint32_t type = in_flight.RequestOf(part).type;
  --size_;
  --held_[type];
  if (order_ == BufferOrder::kOldestFirst) {
    const std::size_t place = part.before;
    const Aged last = aged_.back();
    aged_.pop_back();
    if (place == aged_.size()) return;
    const bool rises = place > 0 && last < aged_[(place - 1) / 2];
    rises ? SiftUp(in_flight, place, last) : SiftDown(in_flight, place, last);
    return;
  }
  Level& level = levels_[level_of_[type]];
  (part.before == kNone ? level.first : in_flight.part(part.before).after) = part.after;
  (part.after == kNone ? level.last : in_flight.part(part.after).before) = part.before;
}

void WaitingLine::Put(InFlight& in_flight, std::size_t place, const Aged& aged) {
  aged_[place] = aged;
  in_flight.part(aged.part).before = static_cast<std::uint32_t>(place);
}

void WaitingLine::SiftUp(InFlight& in_flight, std::size_t place, const Aged& aged) {
  for (; place > 0 && aged < aged_[(place - 1) / 2]; place = (place - 1) / 2) {
    Put(in_flight, place, aged_[(place - 1) / 2]);
  }
  Put(in_flight, place, aged);
}

void WaitingLine::SiftDown(InFlight& in_flight, std::size_t place, const Aged& aged) {
  for (std::size_t child = 2 * place + 1; child < aged_.size(); child = 2 * place + 1) {
    if (child + 1 < aged_.size() && aged_[child + 1] < aged_[child]) ++child;
    if (!(aged_[child] < aged)) break;
    Put(in_flight, place, aged_[child]);
    place = child;
  }
  Put(in_flight, place, aged);
}

}  // namespace berth
