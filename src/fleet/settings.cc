#include "fleet/settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "fleet/file_parts.h"

namespace berth {

Resources FleetSettings::Usable(const Resources& capacity) const {
  Resources usable;
  for (const Resource r : kAllResources) {
    const std::int64_t percent = oversubscription_percent[static_cast<std::size_t>(r)];
    // Split so that the product cannot overflow: capacities reach 2^52, ratios 10,000%.
    usable[r] = capacity[r] / 100 * percent + capacity[r] % 100 * percent / 100;
  }
  return usable;
}

const ServiceClass* FleetSettings::FindClass(ClassId name) const {
  const auto at = std::ranges::find(classes, name, &ServiceClass::name);
  return at == classes.end() ? nullptr : &*at;
}

FleetSettings DefaultFleetSettings() {
  using std::chrono::seconds;
  FleetSettings settings;
  settings.classes = {
      {.name = ClassId("gold"),
       .availability_ppm = 1'000'000,
       .importance = 3,
       .margin = seconds(10),
       .overhead_cap_ppm = 0,
       .may_wait = false,
       .evictable = false,
       // The paper promises gold 100% and still owes nothing down to 99.99%.
       .penalties = {{999'900, 10}, {990'000, 30}, {950'000, 100}}},
      {.name = ClassId("silver"),
       .availability_ppm = 900'000,
       .importance = 2,
       .margin = seconds(10),
       .overhead_cap_ppm = 100'000,
       .may_wait = true,
       .evictable = false,
       .penalties = {{900'000, 10}, {891'100, 30}, {855'600, 100}}},
      {.name = ClassId("bronze"),
       .availability_ppm = 500'000,
       .importance = 1,
       .margin = seconds(10),
       .overhead_cap_ppm = 500'000,
       .may_wait = true,
       .evictable = false,
       .penalties = {{500'000, 10}, {495'000, 30}, {475'000, 100}}},
  };
  return settings;
}

namespace {

constexpr std::uint32_t kWholePpm = 1'000'000;

// A share in millionths, of at most the whole.
Result<std::uint32_t> ReadPpm(const Node& node, std::uint32_t max_ppm, std::uint32_t min_ppm = 0) {
  BERTH_TRY(const std::int64_t ppm,
            ReadShare(node, {.whole = kWholePpm, .min = min_ppm, .max = max_ppm}));
  return static_cast<std::uint32_t>(ppm);
}

Status ReadOversubscription(const Node& node, FleetSettings& settings) {
  Fields fields(node);
  for (const Resource r : kAllResources) {
    const std::optional<Node> ratio = fields.Optional(ResourceName(r));
    if (!ratio) continue;
    BERTH_TRY(const std::int64_t percent, ReadShare(*ratio, {.whole = 100,
                                                             .min = kOversubscriptionPercentMin,
                                                             .max = kOversubscriptionPercentMax}));
    settings.oversubscription_percent[static_cast<std::size_t>(r)] =
        static_cast<std::uint32_t>(percent);
  }
  return fields.Finish();
}

Result<PenaltyTier> ReadTier(const Node& node, std::uint32_t availability_ppm) {
  Fields fields(node);
  const std::optional<Node> below = fields.Required("below");
  const std::optional<Node> credit = fields.Required("credit");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  PenaltyTier tier;
  BERTH_TRY(tier.below_ppm, ReadPpm(*below, availability_ppm));
  BERTH_TRY(const std::int64_t percent, ReadShare(*credit, {.whole = 100, .min = 1, .max = 100}));
  tier.credit_percent = static_cast<std::uint32_t>(percent);
  return tier;
}

Result<ServiceClass> ReadClass(const Node& node) {
  Fields fields(node);
  ServiceClass klass;
  klass.name = fields.Name<ClassId>("name");
  const std::optional<Node> availability = fields.Required("availability");
  klass.importance = fields.Integer<std::uint32_t>("importance", {.min = 0, .max = kImportanceMax});
  klass.margin = fields.Length("margin", std::chrono::seconds(10));
  const std::optional<Node> overhead_cap = fields.Optional("overhead_cap");
  const std::optional<Node> may_wait = fields.Optional("may_wait");
  klass.evictable = fields.Bool("evictable", false);
  const std::vector<Node> penalties = fields.OptionalItems("penalties");
  BERTH_RETURN_IF_ERROR(fields.Finish());

  BERTH_TRY(klass.availability_ppm, ReadPpm(*availability, kWholePpm, 1));  // None is no promise.
  klass.overhead_cap_ppm = kWholePpm - klass.availability_ppm;
  if (overhead_cap) {
    BERTH_TRY(klass.overhead_cap_ppm, ReadPpm(*overhead_cap, kWholePpm));
  }
  klass.may_wait = klass.availability_ppm < kWholePpm;  // Who was promised all of it cannot wait.
  if (may_wait) {
    BERTH_TRY(klass.may_wait, may_wait->Bool());
  }
  for (const Node& item : penalties) {
    BERTH_TRY(const PenaltyTier tier, ReadTier(item, klass.availability_ppm));
    const PenaltyTier* milder = klass.penalties.empty() ? nullptr : &klass.penalties.back();
    if (milder != nullptr &&
        (tier.below_ppm >= milder->below_ppm || tier.credit_percent <= milder->credit_percent)) {
      return item.Error(
          "is not harder than the tier before it; order them so that 'below' falls and 'credit' "
          "rises");
    }
    klass.penalties.push_back(tier);
  }
  return klass;
}

Status ReadClasses(const Node& node, FleetSettings& settings) {
  BERTH_TRY(const std::vector<Node> items, node.Items());
  if (items.empty() || items.size() > kClassesMax) {
    return node.Error(
        fmt::format("has {} classes; write 1 to {}, or leave it out for gold, silver "
                    "and bronze",
                    items.size(), kClassesMax));
  }
  FirstUses uses;
  settings.classes.clear();
  for (const Node& item : items) {
    BERTH_TRY(ServiceClass klass, ReadClass(item));
    BERTH_RETURN_IF_ERROR(uses.Add(item, "class", klass.name.str()));
    settings.classes.push_back(std::move(klass));
  }
  return {};
}

}  // namespace

Result<FleetSettings> ReadFleetSettings(const Node& policy) {
  FleetSettings settings = DefaultFleetSettings();
  if (policy.kind() == Node::Kind::kNull) return settings;
  if (policy.kind() != Node::Kind::kMap) {
    return policy.Error("is not a policy; write a map of sections");
  }
  if (const std::optional<Node> node = policy.Find("oversubscription")) {
    BERTH_RETURN_IF_ERROR(ReadOversubscription(*node, settings));
  }
  if (const std::optional<Node> node = policy.Find("classes")) {
    BERTH_RETURN_IF_ERROR(ReadClasses(*node, settings));
  }
  return settings;
}

Result<FleetSettings> ParseFleetSettings(std::string_view policy_text) {
  BERTH_TRY(const Document document, ParseDocument(policy_text, "policy"));
  return ReadFleetSettings(document.root());
}

}  // namespace berth
