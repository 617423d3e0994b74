// The contract of every rule in rules.def.
#include <gtest/gtest.h>

#include <set>

#include "allocate/policy.h"
#include "support/random_fleet.h"

namespace berth {
namespace {

using testing::RandomFleet;
using testing::RandomService;

class RuleContract : public ::testing::TestWithParam<RuleEntry> {
 protected:
  std::unique_ptr<Rule> Create() const {
    Fields options(nothing_.root());
    return GetParam().create(options);
  }

  // Calls f(ask, machine) for every machine of random fleets.
  template <typename F>
  static void ForRandomMachines(F f) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
      Rng rng(seed);
      const Inventory view = RandomFleet(rng);
      const ServiceState* old = view.FindService("old0");
      const Service service = old != nullptr ? old->record : RandomService(rng, "new");
      Footprint footprint;
      if (old != nullptr) footprint = Footprint(view, *old);
      const InstanceType& type = *view.Find(service.groups.front().type);
      const Ask ask{.inventory = view,
                    .service = service,
                    .type = type,
                    .role = {},
                    .limit = type.size,
                    .tenant = *view.IndexOf(service.tenant),
                    .footprint = footprint};
      for (std::uint32_t i = 0; i < view.machines().size(); ++i) {
        f(ask, Candidate{MachineIndex{i}, view[MachineIndex{i}]});
      }
    }
  }

 private:
  Document nothing_ = ParseDocument("{}", "no options").value();
};

TEST_P(RuleContract, IsCalledByItsNameInTheTable) {
  EXPECT_EQ(Create()->name(), GetParam().name);
  EXPECT_TRUE(IsValidName(GetParam().name));
}

TEST_P(RuleContract, SaysInOneLineWhatItIsFor) {
  const std::unique_ptr<Rule> rule = Create();
  EXPECT_FALSE(rule->summary().empty());
  EXPECT_EQ(rule->summary().find('\n'), std::string_view::npos);
}

TEST_P(RuleContract, IsAValidatorOrAPreference) {
  const std::unique_ptr<Rule> rule = Create();
  const int kinds = (dynamic_cast<Validator*>(rule.get()) != nullptr ? 1 : 0) +
                    (dynamic_cast<Preference*>(rule.get()) != nullptr ? 1 : 0) +
                    (dynamic_cast<ClusterPreference*>(rule.get()) != nullptr ? 1 : 0);
  EXPECT_EQ(kinds, 1);
}

TEST_P(RuleContract, ValidatorsSayWhatIsLackingAndAnswerAlike) {
  const std::unique_ptr<Rule> rule = Create();
  const std::unique_ptr<Rule> twin = Create();
  const auto* validator = dynamic_cast<const Validator*>(rule.get());
  if (validator == nullptr) return;  // The next test is for it.
  std::set<bool> answers;
  ForRandomMachines([&](const Ask& ask, const Candidate& machine) {
    const bool valid = validator->IsValid(ask, machine);
    answers.insert(valid);
    EXPECT_EQ(dynamic_cast<const Validator*>(twin.get())->IsValid(ask, machine), valid);
    if (valid) return;
    EXPECT_FALSE(validator->Lacks(ask, machine).empty());
    EXPECT_EQ(validator->Lacks(ask, machine), validator->Lacks(ask, machine));
    EXPECT_FALSE(Advice(validator->CureFor(ask, machine)).empty());
  });
  EXPECT_EQ(answers.size(), 2U) << "these fleets do not exercise it";
}

TEST_P(RuleContract, PreferencesStayWithinTheirPointsAndAnswerAlike) {
  const std::unique_ptr<Rule> rule = Create();
  const std::unique_ptr<Rule> twin = Create();
  const auto* preference = dynamic_cast<const Preference*>(rule.get());
  const auto* clusters = dynamic_cast<const ClusterPreference*>(rule.get());
  if (preference == nullptr && clusters == nullptr) return;  // The test before is for it.
  ForRandomMachines([&](const Ask& ask, const Candidate& machine) {
    const auto points = [&](const Rule* of) {
      const auto* machines = dynamic_cast<const Preference*>(of);
      return machines != nullptr ? machines->Points(ask, machine)
                                 : dynamic_cast<const ClusterPreference*>(of)->Points(
                                       ask, ask.inventory[machine.state.cluster]);
    };
    EXPECT_LE(points(rule.get()), kPointsMax);
    EXPECT_EQ(points(rule.get()), points(twin.get()));
  });
}

INSTANTIATE_TEST_SUITE_P(Builtin, RuleContract, ::testing::ValuesIn(BuiltinRules()),
                         [](const auto& entry) { return std::string(entry.param.name); });

}  // namespace
}  // namespace berth
