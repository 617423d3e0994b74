// The requests that are under way, and their parts: one for each call that a request leads to. Both
// live in slots that are used again, so memory is bounded by what is under way at one time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "appsim/call_tree.h"

namespace berth {

struct RequestPart {
  enum class Place : std::uint8_t { kNowhere, kOnLink, kWaiting, kWorkedOn };

  std::int64_t since = 0;     // When it came to its place.
  std::int64_t waited = 0;    // Microseconds in buffers on the longest way here,
  std::int64_t on_links = 0;  // and on links. What is left of its age was work.
  UsedAmounts use{};          // While it is worked on.
  std::uint32_t request = kNone;
  std::uint32_t before = kNone;  // In the buffer.
  std::uint32_t after = kNone;
  std::uint32_t instance = kNone;  // That works on it.
  std::uint16_t call = 0;
  std::uint16_t missing = 0;  // Answers of those that it called.
  Place place = Place::kNowhere;
  bool downstream = false;
  bool returning = false;  // On its link: to whoever called.
};

struct RequestUnderWay {
  std::int64_t sent = 0;
  std::uint64_t number = 0;  // Of its type and load, by which its draws are made.
  std::uint32_t type = 0;
  std::uint32_t first_part = 0;
  std::uint32_t before = kNone;  // Of its type, by time.
  std::uint32_t after = kNone;
  std::uint32_t events = 0;  // To come that know a part of it.
  bool over = false;         // Answered or lost; its slot stays until its last event.
};

class InFlight {
 public:
  // How many parts a request of each type has.
  explicit InFlight(const std::vector<std::vector<AppCall>>& calls);

  RequestUnderWay& request(std::uint32_t index) { return requests_[index]; }
  const RequestUnderWay& request(std::uint32_t index) const { return requests_[index]; }
  RequestPart& part(std::uint32_t index) { return parts_[index]; }
  const RequestPart& part(std::uint32_t index) const { return parts_[index]; }
  RequestUnderWay& RequestOf(const RequestPart& part) { return requests_[part.request]; }

  std::uint32_t parts() const { return static_cast<std::uint32_t>(parts_.size()); }
  std::uint64_t count() const { return count_; }
  std::uint64_t count_max() const { return count_max_; }
  // That is not over; none if there is none.
  std::uint32_t Oldest(std::uint32_t type) const { return types_[type].oldest; }

  std::uint32_t Add(std::uint32_t type, std::int64_t now, std::uint64_t number);
  // Takes it out of those that may time out; the slot is free once no event knows it.
  void End(std::uint32_t request);
  void ForgetEvent(std::uint32_t request) {
    RequestUnderWay& gone = requests_[request];
    if (--gone.events == 0 && gone.over) Free(request);
  }

 private:
  struct OfType {
    std::uint32_t parts = 0;
    std::uint32_t free = kNone;  // Linked by `after`.
    std::uint32_t oldest = kNone;
    std::uint32_t newest = kNone;
  };

  void Free(std::uint32_t request);

  std::vector<OfType> types_;
  std::vector<RequestUnderWay> requests_;
  std::vector<RequestPart> parts_;
  std::uint64_t count_ = 0;
  std::uint64_t count_max_ = 0;
};

}  // namespace berth
