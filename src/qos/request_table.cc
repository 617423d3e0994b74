#include "qos/request_table.h"

#include <algorithm>

#include "berth/check.h"

namespace berth {

Delivered RequestAccount::At(Time now) const {
  Delivered delivered = before;
  (placed ? delivered.ran : delivered.waited) += now - since;
  return delivered;
}

bool RequestAccount::Over(std::uint32_t overhead_cap_ppm, Time now) const {
  const Wide all = Wide{At(now).ran.count()} + overhead.count();
  return Wide{overhead.count()} * kWholePpm > all * overhead_cap_ppm;
}

Duration RequestAccount::UntilUnder(std::uint32_t overhead_cap_ppm, Time now) const {
  if (!Over(overhead_cap_ppm, now)) return {};
  if (overhead_cap_ppm == 0) return Duration::max();
  const Wide all = (Wide{overhead.count()} * kWholePpm + overhead_cap_ppm - 1) / overhead_cap_ppm;
  return Duration(static_cast<std::int64_t>(all - overhead.count() - At(now).ran.count()));
}

RequestIndex RequestTable::Admit(const Want& want, Time now) {
  if (free_.empty()) {
    free_.push_back(RequestIndex{static_cast<std::uint32_t>(accounts_.size())});
    accounts_.emplace_back();
  }
  const RequestIndex request = free_.back();
  free_.pop_back();
  RequestAccount& account = At(request);
  account = {};
  account.want = want;
  account.order = next_order_++;
  account.alive = true;
  account.since = now;
  return request;
}

void RequestTable::Complete(RequestIndex request) {
  BERTH_CHECK(At(request).alive);
  At(request).alive = false;
  free_.push_back(request);
}

void RequestTable::Place(RequestIndex request, HostIndex host, Time now) {
  RequestAccount& account = At(request);
  BERTH_CHECK(account.alive && !account.placed);
  account.before = account.At(now);
  account.since = now;
  account.placed = true;
  account.host = host;
  account.allocation = {};
  account.start_unknown = false;
  ++account.starts;
}

void RequestTable::SetAllocation(RequestIndex request, Duration took) {
  RequestAccount& account = At(request);
  BERTH_CHECK(account.placed);
  // The first start is part of being delivered, as otherwise nobody could have all of the time;
  // later ones are downtime that the scheduler caused.
  if (account.starts > 1) {
    account.before.ran += account.allocation - took;
    account.before.waited += took - account.allocation;
  }
  account.allocation = took;
}

void RequestTable::Preempt(RequestIndex request, Time now) {
  RequestAccount& account = At(request);
  account.overhead += std::min(account.allocation, now - account.since);
  ++account.preemptions;
  Displace(request, now);
}

void RequestTable::Correct(RequestIndex request, const RequestAccount& known) {
  RequestAccount& account = At(request);
  BERTH_CHECK(account.alive);
  const std::uint64_t order = account.order;
  account = known;
  account.order = order;
  account.alive = true;
}

void RequestTable::Displace(RequestIndex request, Time now) {
  RequestAccount& account = At(request);
  BERTH_CHECK(account.placed);
  // One that left while it was being allocated is charged no more than that.
  SetAllocation(request, std::min(account.allocation, now - account.since));
  account.before = account.At(now);
  account.since = now;
  account.placed = false;
}

}  // namespace berth
