// Admission control, live: what the classes of all services promise, against the machines that are
// ready. It follows commits, and counts what was asked for and is not yet known to be committed.
//
// Each process counts for itself, so that requests to several at once may exceed it by what they
// did not know of each other.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "berth/request.h"
#include "fleet/inventory.h"
#include "qos/promise_ledger.h"

namespace berth {

class Promises {
 public:
  // The view outlives it.
  explicit Promises(const Inventory& view) : view_(view) {}
  ~Promises() { *alive_ = false; }
  Promises(const Promises&) = delete;
  Promises& operator=(const Promises&) = delete;

  // Counts the whole view, in which nothing may be tentative.
  void Begin();
  // Takes over what a commit did; the view knows it already.
  void Note(const Committed& committed);

  // Why what is asked for can no longer be promised, if so. Otherwise it counts as promised until
  // its answer, which goes on to `done`, and then by what is committed.
  std::optional<Refusal> Ask(const Action& action, ReplyDone& done);

  // Requests that were answered so.
  std::uint64_t refused() const { return refused_; }

 private:
  Promised AskedBy(const Action& action) const;
  void SetMachine(MachineId name);
  void SetInstance(const InstanceId& id, const Promised* promised);
  Promised PromisedTo(const Instance& instance, const Service& service) const;
  std::uint32_t TargetOf(ClassId klass) const;
  void Answered(const Promised& asked, const Reply& reply);
  void Hold(const Promised& asked);
  void LetGo(const Promised& asked);

  const Inventory& view_;
  PromiseLedger ledger_;
  std::unordered_map<MachineId, Resources> counted_;
  std::unordered_map<std::string, std::map<std::uint32_t, Promised>> promised_;
  Promised held_;  // Asked for, and not known here to be committed or refused;
  std::multimap<Revision, Promised> on_the_way_;  // of that, what was answered.
  std::uint64_t refused_ = 0;
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace berth
