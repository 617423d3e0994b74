// The contract of every rule in rules.def.
#include <gtest/gtest.h>

#include <deque>
#include <set>

#include "allocate/cache/rule_object.h"
#include "support/made_up_outlook.h"
#include "support/random_fleet.h"
#include "support/rule_answers.h"
#include "support/rule_options.h"

namespace berth {
namespace {

using testing::Answer;
using testing::AsRefusing;
using testing::CreateRule;
using testing::InstancesOf;
using testing::MadeUpOutlook;
using testing::OptionsThatBite;
using testing::RandomClass;
using testing::RandomFleet;
using testing::RandomService;

constexpr std::uint64_t kRandomFleets = 100;
constexpr Trait kAllTraits[] = {Trait::kNeeds, Trait::kRole, Trait::kClass,
                                Trait::kLimit, Trait::kType, Trait::kEpoch};

template <typename T>
bool Is(const Rule& rule) {
  return dynamic_cast<const T*>(&rule) != nullptr;
}

// An ask and what it refers to.
struct Asked {
  Service service;
  Instance wanted;
  Footprint footprint;
  bool leaves = false;
  MadeUpOutlook outlook{1};

  Ask Of(const Inventory& view) const {
    Ask ask = AskFor(view, service, wanted, footprint, &outlook);
    if (leaves) ask.leaving = footprint.anchor();
    return ask;
  }
};

Asked RandomAsked(Rng& rng, const Inventory& view, Service service) {
  service.klass = RandomClass(rng);
  const std::vector<Instance> instances = InstancesOf(view, service);
  Asked asked;
  asked.service = service;
  asked.wanted = instances[rng.Below(instances.size())];
  if (rng.Below(2) == 0) asked.wanted.id.number = 1000;  // One more.
  if (rng.Below(3) == 0) asked.wanted.limit[Resource::kCpu] += 3000;
  if (const ServiceState* state = view.FindService(service.name)) {
    asked.footprint = Footprint(view, *state);
  }
  asked.leaves = rng.Below(3) == 0;
  asked.outlook = MadeUpOutlook(rng.Below(100));
  return asked;
}

// Calls f(view, asks) for random fleets: one of every service there, one of a new one.
template <typename F>
void ForRandomFleets(F f) {
  for (std::uint64_t seed = 0; seed < kRandomFleets; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Rng rng(seed);
    const Inventory view = RandomFleet(rng);
    std::vector<Asked> asks;
    asks.push_back(RandomAsked(rng, view, RandomService(rng, "new")));
    for (const ServiceState& service : view.services()) {
      asks.push_back(RandomAsked(rng, view, service.record));
    }
    f(view, asks);
  }
}

template <typename F>
void ForRandomAsks(F f) {
  ForRandomFleets([&](const Inventory& view, const std::vector<Asked>& asks) {
    for (const Asked& asked : asks) f(asked.Of(view));
  });
}

// How many machines follow it in its cluster's list.
std::uint32_t MachinesBehind(const Inventory& view, const Candidate& machine) {
  const std::vector<MachineIndex>& all = view[machine.state.cluster].machines;
  return static_cast<std::uint32_t>(all.end() - std::ranges::find(all, machine.index)) - 1;
}

template <typename F>
void ForEachMachine(const Inventory& view, F f) {
  for (std::uint32_t i = 0; i < view.machines().size(); ++i) {
    f(Candidate{MachineIndex{i}, view[MachineIndex{i}]});
  }
}

// The second ask, with the first's traits as far as the set goes.
Ask WithTraitsOf(const Ask& first, const Ask& second, TraitSet set) {
  const Traits& a = first.traits;
  const Traits& b = second.traits;
  static std::deque<InstanceType> types;  // Of the asks, which refer to them.
  InstanceType& type = types.emplace_back(set.Has(Trait::kNeeds) ? a.type : b.type);
  type.name = set.Has(Trait::kType) ? a.type.name : b.type.name;
  return {.inventory = second.inventory,
          .traits = {.type = type,
                     .role = set.Has(Trait::kRole) ? a.role : b.role,
                     .klass = set.Has(Trait::kClass) ? a.klass : b.klass,
                     .limit = set.Has(Trait::kLimit) ? a.limit : b.limit,
                     .labels = set.Has(Trait::kNeeds) ? a.labels : b.labels,
                     .epoch = set.Has(Trait::kEpoch) ? a.epoch : b.epoch},
          .service = second.service,
          .tenant = second.tenant,
          .footprint = second.footprint,
          .number = second.number,
          .leaving = second.leaving,
          .outlook = second.outlook};
}

bool IsConcerned(Concerns concerns, const Ask& ask, const Candidate& machine) {
  switch (concerns) {
    case Concerns::kNone:
      return false;
    case Concerns::kOwn:
      return ask.footprint.InRack(machine.state.rack) > 0;
    case Concerns::kIsolated:
      return machine.state.occupancy.isolating > 0;
    case Concerns::kAll:
      break;
  }
  return true;
}

class RuleContract : public ::testing::TestWithParam<RuleEntry> {
 protected:
  const std::unique_ptr<Rule> rule_ = CreateRule(GetParam(), OptionsThatBite(GetParam().name));
};

TEST_P(RuleContract, IsCalledByItsNameInTheTable) {
  EXPECT_EQ(rule_->name(), GetParam().name);
  EXPECT_TRUE(IsValidName(GetParam().name));
}

TEST_P(RuleContract, NeedsNoOptions) { EXPECT_NE(CreateRule(GetParam(), ""), nullptr); }

TEST_P(RuleContract, SaysInOneLineWhatItIsFor) {
  EXPECT_FALSE(rule_->summary().empty());
  EXPECT_EQ(rule_->summary().find('\n'), std::string_view::npos);
}

TEST_P(RuleContract, IsOfOneKind) {
  const Rule& rule = *rule_;
  const int kinds = (Is<Validator>(rule) ? 1 : 0) + (Is<ClusterValidator>(rule) ? 1 : 0) +
                    (Is<Preference>(rule) ? 1 : 0) + (Is<RackPreference>(rule) ? 1 : 0) +
                    (Is<ClusterPreference>(rule) ? 1 : 0);
  EXPECT_EQ(kinds, 1);
  // What is kept of preferences that go by the service's racks is kept by rack.
  EXPECT_FALSE(Is<Preference>(rule) && rule.depends_on() == DependsOn::kServiceRack);
}

TEST_P(RuleContract, TellsMachinesApartAndAlwaysAlike) {
  const std::unique_ptr<Rule> twin = CreateRule(GetParam(), OptionsThatBite(GetParam().name));
  std::set<std::uint32_t> answers;
  ForRandomAsks([&](const Ask& ask) {
    ForEachMachine(ask.inventory, [&](const Candidate& machine) {
      const std::uint32_t answer = Answer(*rule_, ask, machine);
      answers.insert(answer);
      EXPECT_LE(answer, kPointsMax);
      EXPECT_EQ(Answer(*twin, ask, machine), answer);
      const Facts facts = FactsOf(machine.state, MachinesBehind(ask.inventory, machine));
      EXPECT_EQ(Answer(*rule_, ask, {machine.index, machine.state, &facts}), answer);
    });
  });
  EXPECT_GE(answers.size(), 2U) << "these fleets do not exercise it";
}

TEST_P(RuleContract, WhatPreferencesTellForLessIsTrue) {
  const auto* preference = dynamic_cast<const Preference*>(rule_.get());
  if (preference == nullptr) return;
  ForRandomAsks([&](const Ask& ask) {
    ForEachMachine(ask.inventory, [&](const Candidate& machine) {
      const std::uint32_t points = preference->Points(ask, machine);
      const Preference::AtLeast least = preference->PointsAtLeast(ask, machine);
      EXPECT_LE(least.points, points);
      if (least.exact) {
        EXPECT_EQ(least.points, points);
      }
    });
  });
}

TEST_P(RuleContract, ValidatorsSayWhatIsLackingAndWhatWouldCureIt) {
  const std::optional<Refusing> refusing = AsRefusing(*rule_);
  if (!refusing) return;
  EXPECT_EQ(refusing->rule().str(), GetParam().name);
  ForRandomAsks([&](const Ask& ask) {
    ForEachMachine(ask.inventory, [&](const Candidate& machine) {
      if (Answer(*rule_, ask, machine) == 0) return;
      EXPECT_FALSE(refusing->Lacks(ask, machine).empty());
      EXPECT_EQ(refusing->Lacks(ask, machine), refusing->Lacks(ask, machine));
      EXPECT_FALSE(Advice(refusing->CureFor(ask, machine)).empty());
    });
  });
}

TEST_P(RuleContract, ThatGoesByTraitsAnswersAlikeWhereTheyAgreeInWhatItReads) {
  if (rule_->depends_on() != DependsOn::kTraits) return;
  ForRandomFleets([&](const Inventory& view, const std::vector<Asked>& asks) {
    for (std::size_t i = 0; i + 1 < asks.size(); ++i) {
      const Ask ask = asks[i].Of(view);
      const Ask alike = WithTraitsOf(ask, asks[i + 1].Of(view), rule_->reads());
      ForEachMachine(view, [&](const Candidate& machine) {
        EXPECT_EQ(Answer(*rule_, ask, machine), Answer(*rule_, alike, machine));
      });
    }
  });
}

TEST_P(RuleContract, ReadsNoTraitInVain) {
  for (const Trait trait : kAllTraits) {
    if (!rule_->reads().Has(trait)) continue;
    bool matters = false;
    ForRandomFleets([&](const Inventory& view, const std::vector<Asked>& asks) {
      for (std::size_t i = 0; i + 1 < asks.size(); ++i) {
        const Ask ask = asks[i].Of(view);
        const Ask other = WithTraitsOf(asks[i + 1].Of(view), ask, {trait});
        ForEachMachine(view, [&](const Candidate& machine) {
          matters = matters || Answer(*rule_, ask, machine) != Answer(*rule_, other, machine);
        });
      }
    });
    EXPECT_TRUE(matters) << "trait " << static_cast<int>(trait);
  }
}

TEST_P(RuleContract, ThatGoesByRacksAnswersAlikeWithinOne) {
  if (rule_->depends_on() != DependsOn::kServiceRack) return;
  ForRandomAsks([&](const Ask& ask) {
    std::map<RackIndex, std::uint32_t> answers;
    ForEachMachine(ask.inventory, [&](const Candidate& machine) {
      const std::uint32_t answer = Answer(*rule_, ask, machine);
      EXPECT_EQ(answers.try_emplace(machine.state.rack, answer).first->second, answer);
    });
  });
}

TEST_P(RuleContract, AnswersAlikeForTheMachinesThatItDoesNotConcern) {
  if (rule_->depends_on() == DependsOn::kTraits) return;
  ForRandomAsks([&](const Ask& ask) {
    const Concerns concerns = rule_->concerns(ask);
    const Ask of_nobody = AskForNobody(ask.inventory, ask.traits, ask.outlook);
    std::set<std::uint32_t> answers;
    ForEachMachine(ask.inventory, [&](const Candidate& machine) {
      if (IsConcerned(concerns, ask, machine)) return;
      const std::uint32_t answer = Answer(*rule_, ask, machine);
      answers.insert(answer);
      if (AsRefusing(*rule_)) {
        EXPECT_EQ(answer, 0U);
      }
      // These are kept as for a service that is nowhere.
      if (Is<RackPreference>(*rule_)) {
        EXPECT_EQ(answer, Answer(*rule_, of_nobody, machine));
      }
    });
    EXPECT_LE(answers.size(), 1U);
  });
}

INSTANTIATE_TEST_SUITE_P(Builtin, RuleContract, ::testing::ValuesIn(BuiltinRules()),
                         [](const auto& entry) { return std::string(entry.param.name); });

}  // namespace
}  // namespace berth
