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
constexpr int kKeyBitsMax = 63;  // So that no key is kNoKey.

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

void ReadConflicts(Fields& section, ConflictAvoidance& conflicts) {
  const auto node = section.Optional("conflicts");
  if (!node) return;
  Fields fields(*node);
  conflicts.top = fields.Integer<std::uint32_t>("top", {.min = 0, .max = 10'000}, conflicts.top);
  conflicts.window =
      fields.Integer<std::uint32_t>("window", {.min = 1, .max = 10'000}, conflicts.window);
  section.Check(fields.Finish());
}

void ReadCache(Fields& section, CacheLimits& cache) {
  const auto node = section.Optional("cache");
  if (!node) return;
  Fields fields(*node);
  constexpr std::int64_t kMost = 100'000'000;
  cache.evaluations =
      fields.Integer<std::uint32_t>("evaluations", {.min = 1, .max = kMost}, cache.evaluations);
  cache.rule_objects =
      fields.Integer<std::uint32_t>("rule_objects", {.min = 1, .max = kMost}, cache.rule_objects);
  cache.age = fields.Length("age", cache.age);
  cache.refresh = fields.Bool("refresh", cache.refresh);
  section.Check(fields.Finish());
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
    const auto depends = [](const Listed<Validator>& listed) { return listed.rule->depends_on(); };
    std::ranges::stable_sort(policy_.validators, {}, depends);
    policy_.trait_validators = static_cast<std::size_t>(
        std::ranges::count(policy_.validators, DependsOn::kTraits, depends));
    policy_.rack_validators = static_cast<std::size_t>(
        std::ranges::count(policy_.validators, DependsOn::kServiceRack, depends));
    BERTH_TRY(policy_.key_bits, Pack(where, policy_.preferences));
    BERTH_RETURN_IF_ERROR(Pack(where, policy_.cluster_preferences).status());
    return std::move(policy_);
  }

  AllocatePolicy& policy() { return policy_; }

 private:
  Status Take(const Node& entry, std::unique_ptr<Rule> rule, Fields& options) {
    const RuleId id(rule->name());
    policy_.reads |= rule->reads();
    if (auto validator = TakeAs<Validator>(rule)) {
      policy_.validators.push_back({id, std::move(validator)});
      return {};
    }
    if (auto validator = TakeAs<ClusterValidator>(rule)) {
      policy_.cluster_validators.push_back({id, std::move(validator)});
      return {};
    }
    const KeyPlace place{
        .buckets = options.Integer<std::uint32_t>("buckets", {.min = 1, .max = kBucketsMax}, 0)};
    if (auto cluster = TakeAs<ClusterPreference>(rule)) {
      policy_.cluster_preferences.push_back({id, std::move(cluster), place});
      return {};
    }
    const bool of_machines = rule->depends_on() == DependsOn::kServiceMachine;
    if (policy_.machine_preferences > 0 && !of_machines) {
      return entry.Error(
          "must stand before the preferences that depend on the single service; move it up");
    }
    if (of_machines) ++policy_.machine_preferences;
    auto rack = TakeAs<RackPreference>(rule);
    auto machine = rack == nullptr ? TakeAs<Preference>(rule) : nullptr;
    BERTH_CHECK(rack != nullptr || machine != nullptr);
    policy_.preferences.push_back({id, std::move(machine), std::move(rack), place});
    return {};
  }

  void AddMissingValidators() {
    for (const RuleEntry& entry : kRules) {
      if (std::ranges::find(seen_, entry.name) != seen_.end()) continue;
      Fields options(nothing_.root());
      std::unique_ptr<Rule> rule = entry.create(options);
      const TraitSet reads = rule->reads();
      auto validator = TakeAs<Validator>(rule);
      if (validator == nullptr || !validator->checked_at_commit()) continue;
      policy_.reads |= reads;
      policy_.validators.push_back({RuleId(entry.name), std::move(validator)});
    }
  }

  // Gives each its bits of the key, the last the lowest; how many in all.
  template <typename Preferences>
  static Result<int> Pack(const Node& where, Preferences& preferences) {
    int bits = 0;
    for (auto preference = preferences.rbegin(); preference != preferences.rend(); ++preference) {
      preference->place.shift = bits;
      bits += KeyBits(preference->place.buckets);
    }
    if (bits <= kKeyBitsMax) return bits;
    return where.Error(fmt::format(
        "the preferences need {} bits to compare and {} is the limit; give some fewer buckets",
        bits, kKeyBitsMax));
  }

  const Document& nothing_;
  AllocatePolicy policy_;
  std::vector<std::string_view> seen_;
};

}  // namespace

std::span<const RuleEntry> BuiltinRules() { return kRules; }

const Rule& RankedPreference::rule() const {
  return machine != nullptr ? static_cast<const Rule&>(*machine) : *rack;
}

std::uint64_t RankedPreference::KeyPart(const Ask& ask, const Candidate& candidate) const {
  if (machine != nullptr) return place.Part(machine->Points(ask, candidate));
  const RackIndex index = candidate.state.rack;
  return place.Part(rack->Points(ask, {index, ask.inventory[index]}));
}

std::optional<std::uint32_t> AllocatePolicy::theta() const {
  for (const RankedPreference& preference : preferences) {
    if (preference.machine == nullptr) continue;
    if (const auto theta = preference.machine->theta()) return theta;
  }
  return std::nullopt;
}

std::uint64_t AllocatePolicy::Key(const Ask& ask, const Candidate& machine) const {
  std::uint64_t key = 0;
  for (const RankedPreference& preference : preferences) key |= preference.KeyPart(ask, machine);
  return key;
}

std::uint64_t AllocatePolicy::ClusterKey(const Ask& ask, const ClusterState& cluster) const {
  if (cluster_preferences.empty()) {  // The fullest first.
    return kPointsMax - AllocatedShare(cluster.allocated, cluster.capacity, Resource::kCpu);
  }
  std::uint64_t key = 0;
  for (const RankedClusterPreference& preference : cluster_preferences) {
    key |= preference.place.Part(preference.rule->Points(ask, cluster));
  }
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
  ReadConflicts(fields, reader.policy().conflicts);
  ReadCache(fields, reader.policy().cache);
  const std::vector<Node> rules = fields.Items("rules");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  for (const Node& entry : rules) BERTH_RETURN_IF_ERROR(reader.Add(entry));
  return reader.Finish(*section);
}

}  // namespace berth
