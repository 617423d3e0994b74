#include "allocate/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "allocate/points.h"
#include "allocate/rules/builtin.h"
#include "berth/check.h"

namespace berth {
namespace {

constexpr RuleEntry kRules[] = {
#define BERTH_RULE(file, factory) {#file, &factory},
#include "allocate/rules/rules.def"
#undef BERTH_RULE
};

constexpr std::uint32_t kBucketsMax = 1000;

int KeyBits(std::uint32_t buckets) {
  return static_cast<int>(std::bit_width(buckets == 0 ? kPointsMax : buckets));
}

std::string KnownRules() {
  std::string names;
  for (const RuleEntry& entry : kRules) {
    if (!names.empty()) names += ", ";
    names += entry.name;
  }
  return names;
}

// An entry of the list is a rule's name, or a map of that one name to its options.
struct Named {
  std::string_view name;
  std::optional<Node> options;
};
Result<Named> ReadEntry(const Node& entry) {
  if (entry.kind() != Node::Kind::kMap) {
    BERTH_TRY(const std::string_view name, entry.Text());
    return Named{.name = name, .options = std::nullopt};
  }
  BERTH_TRY(const std::vector<KeyedNode> fields, entry.Entries());
  if (fields.size() != 1)
    return entry.Error("must name one rule; write '- best_fit: {buckets: 3}'");
  const bool has_options = fields[0].value.kind() != Node::Kind::kNull;
  return Named{.name = fields[0].key,
               .options = has_options ? std::optional(fields[0].value) : std::nullopt};
}

// The rule as a T, if it is one; it is taken then.
template <typename T>
std::unique_ptr<const T> TakeAs(std::unique_ptr<Rule>& rule) {
  auto* as = dynamic_cast<T*>(rule.get());
  if (as != nullptr) static_cast<void>(rule.release());
  return std::unique_ptr<const T>(as);
}

class PolicyReader {
 public:
  explicit PolicyReader(const Document& nothing) : nothing_(nothing) {}

  Status Add(const Node& entry) {
    BERTH_TRY(const Named named, ReadEntry(entry));
    const auto known = std::ranges::find(kRules, named.name, &RuleEntry::name);
    if (known == std::end(kRules)) {
      return entry.Error(
          fmt::format("there is no rule '{}'; the rules are {}", named.name, KnownRules()));
    }
    if (std::ranges::find(seen_, named.name) != seen_.end()) {
      return entry.Error(fmt::format("rule '{}' is listed twice; remove one", named.name));
    }
    seen_.push_back(named.name);
    Fields options(named.options.value_or(nothing_.root()));
    std::unique_ptr<Rule> rule = known->create(options);
    BERTH_RETURN_IF_ERROR(Take(entry, std::move(rule), options));
    return options.Finish();
  }

  Result<AllocatePolicy> Finish(const Node& where) {
    AddMissingValidators();
    int bits = 0;
    for (auto preference = policy_.preferences.rbegin(); preference != policy_.preferences.rend();
         ++preference) {
      preference->shift = bits;
      bits += KeyBits(preference->buckets);
    }
    if (bits > 64) {
      return where.Error(fmt::format(
          "the preferences need {} bits to compare and 64 is the limit; give some fewer buckets",
          bits));
    }
    return std::move(policy_);
  }

  AllocatePolicy& policy() { return policy_; }

 private:
  Status Take(const Node& entry, std::unique_ptr<Rule> rule, Fields& options) {
    if (auto validator = TakeAs<Validator>(rule)) {
      policy_.validators.push_back(std::move(validator));
      return {};
    }
    const auto buckets =
        options.Integer<std::uint32_t>("buckets", {.min = 1, .max = kBucketsMax}, 0);
    if (auto cluster = TakeAs<ClusterPreference>(rule)) {
      policy_.cluster_preferences.push_back({std::move(cluster), buckets});
      return {};
    }
    auto preference = TakeAs<Preference>(rule);
    BERTH_CHECK(preference != nullptr);
    const bool of_service = preference->depends_on() == DependsOn::kServiceMachine;
    if (service_machine_seen_ && !of_service) {
      return entry.Error(
          "must stand before the preferences that depend on the single service; move it up");
    }
    service_machine_seen_ = of_service;
    policy_.preferences.push_back({std::move(preference), buckets, 0});
    return {};
  }

  void AddMissingValidators() {
    for (const RuleEntry& entry : kRules) {
      if (std::ranges::find(seen_, entry.name) != seen_.end()) continue;
      Fields options(nothing_.root());
      std::unique_ptr<Rule> rule = entry.create(options);
      auto validator = TakeAs<Validator>(rule);
      if (validator != nullptr && validator->checked_at_commit()) {
        policy_.validators.push_back(std::move(validator));
      }
    }
  }

  const Document& nothing_;
  AllocatePolicy policy_;
  std::vector<std::string_view> seen_;
  bool service_machine_seen_ = false;
};

}  // namespace

std::span<const RuleEntry> BuiltinRules() { return kRules; }

std::uint64_t RankedPreference::KeyPart(const Ask& ask, const Candidate& machine) const {
  const std::uint32_t points = rule->Points(ask, machine);
  return std::uint64_t{buckets == 0 ? points : Bucket(points, buckets)} << shift;
}

std::uint64_t AllocatePolicy::Key(const Ask& ask, const Candidate& machine) const {
  std::uint64_t key = 0;
  for (const RankedPreference& preference : preferences) key |= preference.KeyPart(ask, machine);
  return key;
}

Result<AllocatePolicy> ParseAllocatePolicy(const Node& policy) {
  const std::optional<Node> section = policy.Find("allocate");
  if (!section) {
    BERTH_TRY(const Document shipped, ParseDocument(ShippedPolicy(), "shipped policy"));
    return ParseAllocatePolicy(shipped.root());
  }
  BERTH_TRY(const Document nothing, ParseDocument("{}", "no options"));
  PolicyReader reader(nothing);
  Fields fields(*section);
  reader.policy().clusters =
      fields.Integer<std::uint32_t>("clusters", {.min = 1, .max = 100'000}, 8);
  reader.policy().retries = fields.Integer<std::uint32_t>("retries", {.min = 0, .max = 1000}, 20);
  const std::vector<Node> rules = fields.Items("rules");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  for (const Node& entry : rules) BERTH_RETURN_IF_ERROR(reader.Add(entry));
  return reader.Finish(*section);
}

}  // namespace berth
