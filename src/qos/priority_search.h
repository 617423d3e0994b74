// How the priority-based scheduler searches (section 4.1.2): the least important yield first, among
// equals who was admitted last. A host costs the number of the most important that would yield,
// then of the next.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "qos/preemption_search.h"

namespace berth {

class PrioritySearch final : public PreemptionSearch {
 public:
  explicit PrioritySearch(const Scheduler& scheduler) : scheduler_(scheduler) {}

  Wide WaitingKeyOf(RequestIndex request) const override;
  Leeway TurnOf(const Want& want, Wide key, Time now) const override;
  void AddHost(HostIndex host) override;
  void Runs(RequestIndex request) override;
  void Leaves(RequestIndex request) override;
  void Begin(const Taker& taker, Time now) override;
  // By rank: nobody becomes more important with time.
  std::vector<Wide> LeastBy(Time) const override;
  bool MayFit(HostIndex host, const Want& want, std::span<const Wide> least) const override;
  void DescribeRoom(HostIndex host, HostRoom& room) const override;
  Time FitsFrom(HostIndex host, Time horizon) override;
  std::optional<Plan> Examine(HostIndex host, const Plan* best) override;
  SearchOutcome Best(const HostPredicate& may_run, std::size_t wanted) override;
  bool MayYieldAtOnce(const Taker& taker) const override;

 private:
  struct Entry {
    std::uint32_t rank = 0;
    std::uint64_t order = 0;
    RequestIndex request{};

    // Who yields first.
    friend bool operator<(const Entry& a, const Entry& b) {
      return a.rank != b.rank ? a.rank > b.rank : a.order > b.order;
    }
  };
  struct OnHost {
    std::vector<Entry> running;
    std::vector<Resources> held;  // By rank.
  };
  Entry EntryOf(RequestIndex request) const;

  const Scheduler& scheduler_;
  std::vector<OnHost> on_hosts_;
  const Want* want_ = nullptr;
  std::uint32_t rank_ = 0;
  Time now_;
};

}  // namespace berth
