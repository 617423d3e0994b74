#include <fmt/format.h>

#include "allocate/rules/builtin.h"
#include "allocate/rules/percents.h"

namespace berth {
namespace {

class LeavesFree final : public Validator {
 public:
  explicit LeavesFree(const Percents& percents) : percents_(percents) {}

  std::string_view name() const override { return "leaves_free"; }
  std::string_view summary() const override {
    return "a share of every resource stays free on the machine";
  }
  TraitSet reads() const override { return {Trait::kLimit}; }

  bool IsValid(const Ask& ask, const Candidate& machine) const override {
    return !FirstShort(ask.traits.limit, machine.state.usable, machine.state.allocated);
  }
  std::string Lacks(const Ask& ask, const Candidate& machine) const override {
    const Resource r = *FirstShort(ask.traits.limit, machine.state.usable, machine.state.allocated);
    const std::int64_t left = machine.state.Free()[r] - ask.traits.limit[r];
    return fmt::format("would have {} {} left, {}% of it must stay free",
                       FormatAmount(r, std::max<std::int64_t>(left, 0)), ResourceName(r),
                       Percent(r));
  }
  Cure CureFor(const Ask& ask, const Candidate& machine) const override {
    const bool even_when_empty =
        FirstShort(ask.traits.limit, machine.state.usable, Resources()).has_value();
    return even_when_empty ? Cure::kSmallerAsk : Cure::kMoreMachines;
  }

 private:
  std::int64_t Percent(Resource r) const { return percents_[static_cast<std::size_t>(r)]; }

  // The first resource of which too little would be left.
  std::optional<Resource> FirstShort(const Resources& limit, const Resources& usable,
                                     const Resources& allocated) const {
    for (const Resource r : kAllResources) {
      if (Percent(r) == 0) continue;
      const ResourceTotals::Wide left = usable[r] - allocated[r] - limit[r];
      if (left * 100 < ResourceTotals::Wide{usable[r]} * Percent(r)) return r;
    }
    return std::nullopt;
  }

  Percents percents_;
};

}  // namespace

std::unique_ptr<Rule> NewLeavesFree(Fields& options) {
  return std::make_unique<LeavesFree>(ReadPercents(options, /*min=*/0, Percents{}));
}

}  // namespace berth
