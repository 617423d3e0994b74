// Every request alive, and the time it was given: the accounts that schedulers decide from.
#pragma once

#include <cstdint>
#include <vector>

#include "berth/resources.h"
#include "berth/time.h"
#include "qos/availability.h"

namespace berth {

// Numbered as they come; the number of one that completed is given again.
enum class RequestIndex : std::uint32_t {};
enum class HostIndex : std::uint32_t {};
constexpr std::uint32_t ToNumber(RequestIndex request) {
  return static_cast<std::uint32_t>(request);
}
constexpr std::uint32_t ToNumber(HostIndex host) { return static_cast<std::uint32_t>(host); }

inline constexpr std::uint32_t kNoGroup = UINT32_MAX;

// What a request asks for.
struct Want {
  Resources demand;
  std::uint32_t klass = 0;
  std::uint32_t constraint = 0;    // The caller's own word for the hosts it may run on.
  std::uint32_t group = kNoGroup;  // At most one of a group runs on a host.

  friend bool operator==(const Want&, const Want&) = default;
};

struct RequestAccount {
  Want want;
  std::uint64_t order = 0;  // How manieth it was admitted.
  bool alive = false;
  bool placed = false;
  HostIndex host{};       // If placed.
  Time since;             // When it was placed, or began to wait.
  Delivered before;       // Its time until then.
  Duration allocation{};  // What the present allocation took, as far as known.
  Duration overhead{};    // What allocations took that preemption ended (the sum of Eq. 8).
  std::uint32_t starts = 0;
  std::uint32_t preemptions = 0;
  bool start_unknown = false;  // It was placed, and nobody said yet that it started.

  Delivered At(Time now) const;
  // Whether preemption cost it more of its time than the cap allows (Eq. 8).
  bool Over(std::uint32_t overhead_cap_ppm, Time now) const;
  // How long it must run on until that is no longer so.
  Duration UntilUnder(std::uint32_t overhead_cap_ppm, Time now) const;
};

class RequestTable {
 public:
  RequestIndex Admit(const Want& want, Time now);
  void Complete(RequestIndex request);
  void Place(RequestIndex request, HostIndex host, Time now);
  void SetAllocation(RequestIndex request, Duration took);
  void Preempt(RequestIndex request, Time now);
  // Everything but its order is as known elsewhere.
  void Correct(RequestIndex request, const RequestAccount& known);
  // Off its host for another reason, as when that is lost.
  void Displace(RequestIndex request, Time now);

  const RequestAccount& operator[](RequestIndex request) const {
    return accounts_[ToNumber(request)];
  }
  // Dead ones included.
  std::size_t size() const { return accounts_.size(); }

 private:
  RequestAccount& At(RequestIndex request) { return accounts_[ToNumber(request)]; }

  std::vector<RequestAccount> accounts_;
  std::vector<RequestIndex> free_;
  std::uint64_t next_order_ = 0;
};

}  // namespace berth
