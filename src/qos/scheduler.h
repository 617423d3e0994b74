// A scheduler that decides who runs where and who yields: a mirror of hosts and requests, told of
// events, asked for decisions. It has no clock and does nothing else; whoever drives it acts on the
// decisions. Live and in rehearsal it is the same object.
//
//   const RequestIndex web = scheduler.Admit({.demand = demand, .klass = 0}, now);
//   for (const Grant& grant : scheduler.Pass(now).grants) ...
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "qos/class_terms.h"
#include "qos/request_table.h"

namespace berth {

// What must hold of a host beside room: labels, health and the like. What it answers may change
// only between passes, and the scheduler is told with HostChanged or ConstraintChanged.
class HostFilter {
 public:
  virtual ~HostFilter() = default;
  virtual bool MayRun(const Want& want, HostIndex host) const = 0;
};

// One that yields, and what it had to spare when it did.
struct Victim {
  RequestIndex request{};
  Leeway leeway;
};

struct Grant {
  RequestIndex request{};
  HostIndex host{};
  Leeway leeway;  // Of who is placed, at that time.
  std::uint32_t victims_begin = 0;
  std::uint32_t victims_end = 0;
};

// In the order in which they are to be carried out.
struct PassOutcome {
  std::vector<Grant> grants;
  std::vector<Victim> victims;  // Of all grants.

  std::span<const Victim> VictimsOf(const Grant& grant) const {
    return std::span(victims).subspan(grant.victims_begin, grant.victims_end - grant.victims_begin);
  }
};

// Where one could go, and who would yield there.
struct Offer {
  HostIndex host{};
  std::vector<Victim> victims;
};

struct SchedulerOptions {
  std::vector<ClassTerms> classes;
  Duration allocation_time{};  // What preparing a host is expected to take at most.
};

struct HostState {
  Resources capacity;
  Resources free;
  bool up = true;
  std::vector<RequestIndex> running;  // In no order.
};

class Scheduler {
 public:
  virtual ~Scheduler() = default;
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  HostIndex AddHost(const Resources& capacity);
  // What ran there waits.
  void LoseHost(HostIndex host, Time now);
  void RecoverHost(HostIndex host);
  // What the filter answers about it may be another than before.
  void HostChanged(HostIndex host) { RoomChanged(host); }
  // What it answers to those with this constraint may be, whatever the host.
  virtual void ConstraintChanged(std::uint32_t /*constraint*/) {}

  RequestIndex Admit(const Want& want, Time now);
  // It is done with, whether it ran or waited; its number may be given again.
  void Complete(RequestIndex request);
  // What is known of it from elsewhere, whatever was decided here: what it wants, where it runs or
  // that it waits, and its time. Its order stays. A host may come to hold more than it has room
  // for.
  void Correct(RequestIndex request, const RequestAccount& known);
  // What the present allocation took, or will have taken.
  void SetAllocation(RequestIndex request, Duration took, Time now);

  // Goes through those that wait. The decisions are in force here at once; those preempted wait
  // until the next pass. Valid until then.
  const PassOutcome& Pass(Time now);
  // One that waits gets a place at once, whoever else waits: on a host with room, else on `home` if
  // those who yield to it there make room, whatever the filter says of that host, else where that
  // costs least. Nothing is decided if there is none. Like a pass otherwise.
  const PassOutcome& SeatOne(RequestIndex request, HostIndex home, Time now);

  const RequestTable& requests() const { return requests_; }
  const HostState& host(HostIndex host) const { return hosts_[ToNumber(host)]; }
  std::size_t hosts() const { return hosts_.size(); }
  std::uint64_t waiting() const { return waiting_; }
  std::span<const ClassTerms> classes() const { return options_.classes; }
  std::size_t ranks() const { return ranks_; }
  const ClassTerms& TermsOf(const Want& want) const { return options_.classes[want.klass]; }
  Leeway LeewayOf(RequestIndex request, Time now) const;

 protected:
  Scheduler(SchedulerOptions options, const HostFilter& filter);

  virtual void Decide(Time now) = 0;
  // For SeatOne.
  virtual std::optional<Offer> FindFor(RequestIndex request, HostIndex home, Time now) = 0;
  // What changed, for who keeps more than the mirror.
  virtual void HostIsUp(HostIndex) {}
  virtual void HostIsDown(HostIndex) {}  // It holds nothing any more.
  virtual void Waits(RequestIndex, Time) {}
  virtual void WaitsNoMore(RequestIndex) {}  // Told before it is placed or gone.
  virtual void Runs(RequestIndex, Time) {}
  virtual void Leaves(RequestIndex) {}    // Told while it still runs.
  virtual void RoomChanged(HostIndex) {}  // It has more, or less, free than before.

  // A decision. The victims run on that host.
  void Place(RequestIndex request, HostIndex host, std::span<const Victim> victims, Time now);

  // Beside room: the host is up, the filter agrees and none of the group runs there.
  bool MayRun(const Want& want, HostIndex host) const;

 private:
  HostState& At(HostIndex host) { return hosts_[ToNumber(host)]; }
  void TakeOff(RequestIndex request);
  const PassOutcome& EndPass(Time now);

  SchedulerOptions options_;
  const HostFilter& filter_;
  std::size_t ranks_ = 0;
  RequestTable requests_;
  std::vector<HostState> hosts_;
  std::uint64_t waiting_ = 0;
  PassOutcome decisions_;
};

}  // namespace berth
