// What is known of machines that no record says: what those on them take, and how probable it is
// that they will need more than there is. Measured and estimated elsewhere; rules only read it.
//
// Its figures of a machine change only when it follows the view or refreshes, and then the machine
// is touched in the view's journal, so that rules' answers can be kept like all others: where the
// view changed, by that change itself. So it follows before answers are brought up to date.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "allocate/machine_load.h"
#include "allocate/points.h"
#include "allocate/traits.h"
#include "base/document.h"
#include "berth/records.h"
#include "berth/time.h"
#include "fleet/inventory.h"

namespace berth {

// Whether a share of futures is less than theta, in millionths.
constexpr bool IsBelow(std::uint32_t count, std::uint32_t futures, std::uint32_t theta) {
  return std::uint64_t{count} * kPointsMax < std::uint64_t{theta} * futures;
}

class Outlook {
 public:
  // In how many of the repetitions a machine's tenants need too much at some time: as it is, and
  // with a newcomer. `at_risk` is the resource that they need too much of most often.
  struct Risk {
    std::uint32_t repetitions = 0;
    std::uint32_t before = 0;
    std::uint32_t after = 0;
    Resource at_risk = Resource::kCpu;
  };
  static bool IsBelow(const Risk& risk, std::uint32_t theta) {
    return berth::IsBelow(risk.after, risk.repetitions, theta);
  }

  virtual ~Outlook() = default;

  // Takes over who is where in the view, what was observed, and the time. Machines whose estimate
  // is out of date for longer than `late` are estimated anew.
  virtual void Follow(Inventory& view, Time now, Duration late) = 0;
  // Estimates so many of the machines anew that are out of date, at most; false: none is left.
  // After Follow, at the same time.
  virtual bool Refresh(Inventory& view, std::uint32_t machines_max) = 0;
  // Takes over what was placed for a try since then, and that it was taken back.
  virtual void See(Inventory& /*view*/) {}
  // What an instance takes, and took at most. Known with the next Follow.
  virtual void Observe(const Instance& instance, const Resources& usage, Time at) = 0;

  // What newcomers are taken to need changes with it. It is a trait of the ask, so that answers of
  // another epoch are not found.
  virtual std::uint64_t epoch() const = 0;
  // What was observed of an instance that is to be moved or placed again, as a number for its
  // traits; 0: nothing was, and it is taken for a newcomer. Holds within the epoch.
  virtual std::uint64_t KnownAs(const Instance& /*instance*/) const { return 0; }
  // What those on the machine take now, as last observed; an estimate for those not observed yet.
  virtual Resources Usage(MachineIndex machine) const = 0;
  // The estimate for one that is to be placed.
  virtual Resources NewcomerUsage(const Traits& newcomer) const = 0;
  virtual Risk RiskOf(const Traits& newcomer, MachineIndex machine) const = 0;
  // Whether a violation with the newcomer is less probable than theta, in millionths: what RiskOf
  // says too, perhaps for less.
  virtual bool StaysBelow(const Traits& newcomer, MachineIndex machine, std::uint32_t theta) const {
    return IsBelow(RiskOf(newcomer, machine), theta);
  }

  // What it cannot foresee of those that are there: for how many no past instance stands, so that
  // they are held at what was observed of them, or else at their limits (of some for a part of the
  // futures, which counts as a part), and how many are beyond what it holds of a machine.
  struct Unforeseen {
    double held = 0;
    std::uint64_t left_out = 0;
  };
  virtual Unforeseen unforeseen() const { return {}; }

  // One of its cluster's least loaded, to be used when nothing else will do.
  virtual bool IsHeldOut(MachineIndex machine) const = 0;
  // How much of each resource a cluster's instances take on the whole, as of the epoch's beginning:
  // what W_Sum weights it by.
  virtual LoadWeights WeightsIn(ClusterIndex cluster) const = 0;
};

// As a policy, whose rules read it, has it. None: the one at hand goes by the same and goes on, as
// it takes seconds to draw anew for a whole fleet.
using NewOutlook =
    std::function<Result<std::unique_ptr<Outlook>>(const Node& policy, const Outlook* at_hand)>;

}  // namespace berth
