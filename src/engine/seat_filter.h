// Which machines an instance that waits may run on, beside room: the policy's own validators.
//
// Instances that the policy's rules cannot tell apart share a word, so that a scheduler asks once
// for all of them: the fewer words, the fewer searches. `fits` is not asked, because preemption
// makes room; nor is `quota`, because who waits is counted already. Where the service's own
// instances are is asked of the scheduler, so that within a pass each sees those before it. What
// only the commit finds out is noted here as refused.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "allocate/policy.h"
#include "fleet/inventory.h"
#include "qos/scheduler.h"

namespace berth {

class SeatFilter final : public HostFilter {
 public:
  // Where instances of a service run as decided so far, and a number that is another whenever that
  // may be: what a pass decides counts at once.
  struct Decided {
    std::function<std::vector<MachineIndex>(const std::string& service)> places;
    std::function<std::uint64_t()> version;
  };
  // The view outlives it.
  SeatFilter(const Inventory& view, AllocatePolicy policy, Decided decided);

  std::uint32_t WordOf(const Service& service, const Instance& instance);
  std::size_t words() const { return words_.size(); }
  // Types or tenants are other ones than before: whoever has a word needs a new one.
  void ForgetWords() { word_of_.clear(); }
  // Tenants are told apart only where some service wants none beside its own; whether that is new,
  // so that whoever has a word needs a new one.
  bool NoteIsolation(const Service& service);
  // Whether where its own instances are decides where the service may run.
  static bool MindsItself(const Service& service);
  // And that not only on the machines where they are.
  static bool MindsPlaces(const Service& service);

  void SetMachine(HostIndex host, MachineIndex machine);
  // The view may be another than in the pass before.
  void BeginPass() { ++pass_; }

  // A commit said no, which holds until the host changes or all are forgotten.
  void Refuse(std::uint32_t word, HostIndex host) { refused_.emplace(ToNumber(host), word); }
  void Forget(HostIndex host);
  void ForgetAll() { refused_.clear(); }

  bool MayRun(const Want& want, HostIndex host) const override;

 private:
  struct Word {
    Service service;
    Instance sample;
    Footprint footprint;
    std::optional<Ask> ask;
    std::uint64_t pass = 0;
    std::uint64_t version = 0;
  };
  // What the rules may tell instances apart by, as text.
  std::string TraitsText(const Service& service, const Instance& instance) const;
  const Ask& AskOf(Word& word) const;

  const Inventory& view_;
  const AllocatePolicy policy_;
  const Decided decided_;
  std::vector<const Validator*> validators_;
  TraitSet reads_;  // All of them together.
  bool isolation_ = false;
  mutable std::deque<Word> words_;  // Which their asks refer to.
  std::map<std::string, std::uint32_t, std::less<>> word_of_;
  std::vector<MachineIndex> machine_of_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> refused_;  // Host and word.
  std::uint64_t pass_ = 1;
};

}  // namespace berth
