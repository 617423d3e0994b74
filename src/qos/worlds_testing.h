// Small random worlds for the tests of schedulers: few sizes and times, so that ties abound.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "berth/rng.h"
#include "qos/scheduler.h"

namespace berth::testing {

inline Resources Room(std::int64_t cpu, std::int64_t memory) {
  Resources room;
  room[Resource::kCpu] = cpu;
  room[Resource::kMemory] = memory;
  return room;
}

// A constraint is the set of hosts that it forbids, as bits; hosts beyond 32 repeat them.
class ForbidsHosts final : public HostFilter {
 public:
  bool MayRun(const Want& want, HostIndex host) const override {
    return (want.constraint >> (ToNumber(host) % 32) & 1U) == 0;
  }
};

inline std::vector<ClassTerms> RandomClasses(Rng& rng) {
  using std::chrono::seconds;
  std::vector<ClassTerms> classes = {
      {.target_ppm = 1'000'000, .rank = 0, .margin = seconds(10), .overhead_cap_ppm = 0},
      {.target_ppm = 900'000, .rank = 1, .margin = seconds(10), .overhead_cap_ppm = 100'000},
      {.target_ppm = 500'000, .rank = 2, .margin = seconds(10), .overhead_cap_ppm = 500'000}};
  if (rng.Below(2) == 0) return classes;
  for (ClassTerms& terms : classes) {
    terms.target_ppm = static_cast<std::uint32_t>(1 + rng.Below(1'000'000));
    terms.rank = static_cast<std::uint32_t>(rng.Below(3));
    terms.margin = seconds(rng.Below(30));
    terms.overhead_cap_ppm = static_cast<std::uint32_t>(rng.Below(1'000'001));
  }
  return classes;
}

// How much goes on in a world: at most so many hosts, and arrivals in a step.
struct WorldSize {
  std::uint64_t hosts_least = 1;
  std::uint64_t hosts_most = 6;
  std::uint64_t arrivals_most = 3;
};

// Drives several schedulers through the same events.
class World {
 public:
  World(Rng rng, std::vector<Scheduler*> schedulers, WorldSize size = {})
      : rng_(rng), schedulers_(std::move(schedulers)), size_(size) {
    const std::size_t hosts = size.hosts_least + rng_.Below(size.hosts_most - size.hosts_least + 1);
    // Sizes of a few units make leftovers; of one, pure swaps.
    size_max_ = 1 + static_cast<std::int64_t>(rng_.Below(4));
    constrained_ = rng_.Below(2) == 0;
    for (std::size_t i = 0; i < hosts; ++i) {
      const Resources capacity = Room(Units(4) + 2, Units(4) + 2);
      for (Scheduler* scheduler : schedulers_)
        host_up_.resize(ToNumber(scheduler->AddHost(capacity)) + 1, true);
    }
  }

  // Something happens, or nothing, and time passes.
  void Step() {
    now_ += std::chrono::seconds(rng_.Below(15));
    if (rng_.Below(8) == 0) now_ += Duration(static_cast<std::int64_t>(rng_.Below(1'000'000)));
    const std::uint64_t arrivals = rng_.Below(size_.arrivals_most + 1);
    for (std::uint64_t i = 0; i < arrivals; ++i) Admit();
    for (std::uint64_t i = 0; i < size_.arrivals_most; ++i) {
      if (rng_.Below(9) == 0) CompleteOne();
    }
    if (rng_.Below(20) == 0) SwitchHost();
  }

  // One that runs, if any does, is to have more: where, and who yields; or that the schedulers do
  // not agree.
  std::string GrowOne() {
    if (alive_.empty()) return "";
    const RequestIndex request = alive_[rng_.Below(alive_.size())];
    RequestAccount grown = schedulers_.front()->requests()[request];
    if (!grown.placed) return "";
    grown.want.demand += Room(Units(3), Units(3));
    grown.before = grown.At(now_);
    grown.since = now_;
    grown.placed = false;
    std::string all;
    for (std::size_t i = 0; i < schedulers_.size(); ++i) {
      schedulers_[i]->Correct(request, grown);
      const PassOutcome& outcome = schedulers_[i]->SeatOne(request, grown.host, now_);
      std::string text;
      for (const Grant& grant : outcome.grants) text += InWords(outcome, grant);
      if (i > 0 && text != all) return "differ";
      all = std::move(text);
    }
    return all;
  }

  // What a scheduler decides now, in words; each is told what its allocations took.
  std::string Pass(std::size_t which) {
    Scheduler& scheduler = *schedulers_[which];
    const PassOutcome& decisions = scheduler.Pass(now_);
    std::string text;
    Rng overheads = rng_.Fork(static_cast<std::uint64_t>(ToMicros(now_)));
    for (const Grant& grant : decisions.grants) text += InWords(decisions, grant) + "\n";
    for (const Grant& grant : decisions.grants) {
      if (!scheduler.requests()[grant.request].placed) continue;
      if (overheads.Below(4) == 0) {
        RequestAccount unheard = scheduler.requests()[grant.request];
        unheard.start_unknown = true;
        scheduler.Correct(grant.request, unheard);
        continue;
      }
      scheduler.SetAllocation(grant.request, std::chrono::seconds(overheads.Below(4)), now_);
    }
    return text;
  }

  Time now() const { return now_; }

 private:
  static std::string InWords(const PassOutcome& decisions, const Grant& grant) {
    std::string text = fmt::format("{}@{}:{:.6f}", ToNumber(grant.request), ToNumber(grant.host),
                                   grant.leeway.Micros());
    for (const Victim& victim : decisions.VictimsOf(grant))
      text += fmt::format(" {}:{:.6f}", ToNumber(victim.request), victim.leeway.Micros());
    return text;
  }

  std::int64_t Units(std::int64_t most) {
    return 1 + static_cast<std::int64_t>(rng_.Below(static_cast<std::uint64_t>(most)));
  }

  void Admit() {
    Want want{.demand = Room(Units(size_max_), Units(size_max_)),
              .klass = static_cast<std::uint32_t>(rng_.Below(3))};
    if (constrained_ && rng_.Below(3) == 0)
      want.constraint = static_cast<std::uint32_t>(rng_.Below(64));
    if (constrained_ && rng_.Below(3) == 0) want.group = static_cast<std::uint32_t>(rng_.Below(3));
    for (Scheduler* scheduler : schedulers_) alive_.push_back(scheduler->Admit(want, now_));
    alive_.resize(alive_.size() - schedulers_.size() + 1);
  }

  void CompleteOne() {
    if (alive_.empty()) return;
    const std::size_t which = rng_.Below(alive_.size());
    for (Scheduler* scheduler : schedulers_) scheduler->Complete(alive_[which]);
    alive_.erase(alive_.begin() + static_cast<std::ptrdiff_t>(which));
  }

  void SwitchHost() {
    const auto host = static_cast<std::uint32_t>(rng_.Below(host_up_.size()));
    for (Scheduler* scheduler : schedulers_) {
      if (host_up_[host]) {
        scheduler->LoseHost(HostIndex{host}, now_);
      } else {
        scheduler->RecoverHost(HostIndex{host});
      }
    }
    host_up_[host] = !host_up_[host];
  }

  Rng rng_;
  std::vector<Scheduler*> schedulers_;
  WorldSize size_;
  std::vector<RequestIndex> alive_;
  std::vector<bool> host_up_;
  std::int64_t size_max_ = 1;
  bool constrained_ = false;
  Time now_ = TimeFromMicros(1'700'000'000'000'000);  // As live.
};

}  // namespace berth::testing
