// A buffer of a service: who waits there, and who is first.
#pragma once

#include <cstdint>
#include <vector>

#include "appsim/app_model.h"
#include "appsim/in_flight.h"

namespace berth {

class WaitingLine {
 public:
  WaitingLine(const AppBuffer& settings, const std::vector<AppRequestType>& types);

  std::uint32_t size() const { return size_; }
  // None if nobody waits.
  std::uint32_t First() const;
  bool WouldBeFirst(const InFlight& in_flight, std::uint32_t part) const;
  bool HasRoomFor(std::uint32_t type) const {
    return capacity_[type] == 0 || held_[type] < capacity_[type];
  }
  void Add(InFlight& in_flight, std::uint32_t part);
  void Remove(InFlight& in_flight, std::uint32_t part);

 private:
  // Of one priority; all are of one unless priorities count.
  struct Level {
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
  };
  // Of the oldest first: by when the user sent it, then by when it came.
  struct Aged {
    std::int64_t sent = 0;
    std::uint64_t ticket = 0;
    std::uint32_t part = 0;

    bool operator<(const Aged& other) const {
      return sent != other.sent ? sent < other.sent : ticket < other.ticket;
    }
  };

  void Put(InFlight& in_flight, std::size_t place, const Aged& aged);
  void SiftUp(InFlight& in_flight, std::size_t place, const Aged& aged);
  void SiftDown(InFlight& in_flight, std::size_t place, const Aged& aged);

  BufferOrder order_;
  std::vector<std::uint32_t> capacity_;  // By request type.
  std::vector<std::uint32_t> held_;
  std::vector<std::uint32_t> level_of_;  // Of a request type.
  std::vector<Level> levels_;
  std::vector<Aged> aged_;  // A heap; a part's `before` is its place.
  std::uint64_t tickets_ = 0;
  std::uint32_t size_ = 0;
};

}  // namespace berth
