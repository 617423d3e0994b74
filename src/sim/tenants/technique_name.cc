#include "sim/tenants/technique_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "allocate/foresee.h"
#include "base/document.h"
#include "base/text.h"
#include "engine/policy.h"

namespace berth {
namespace {

constexpr std::string_view kOracle = "+oracle";
constexpr std::string_view kTruth = "+truth";
constexpr std::string_view kPolicyWord = "policy";
constexpr std::array kPercentiles = {50, 80, 90, 95, 99};
constexpr std::size_t kNamesMax = 1'000;

Status Refuse(std::string_view text, std::string_view what) {
  return Status(Code::kInvalidArgument, fmt::format("technique {}: {}", Quoted(text), what));
}

std::string KnownTechniques() {
  std::string names;
  for (const TechniqueEntry& entry : BuiltinTechniques()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", entry.name);
  }
  return names;
}

// Checked as a whole, like one that is put into force.
Status ReadPolicy(std::string_view file, TechniqueName& name) {
  name.policy_file = file;
  BERTH_TRY(name.policy, ReadText(name.policy_file));
  BERTH_RETURN_IF_ERROR(CheckPolicy(name.policy, name.policy_file));
  BERTH_TRY(const Document document, ParseDocument(name.policy, name.policy_file));
  BERTH_TRY(const AllocatePolicy rules, ParseAllocatePolicy(document.root()));
  name.looks_ahead = LooksAhead(rules);
  return {};
}

std::vector<TechniqueName> All() {
  std::vector<TechniqueName> all;
  for (const TechniqueEntry& entry : BuiltinTechniques()) {
    if (!entry.in_all) continue;
    all.push_back({.technique = &entry});
    if (!entry.estimates) all.push_back({.technique = &entry, .oracle = true});
  }
  return all;
}

}  // namespace

std::string TechniqueName::ToText() const {
  std::string text(technique->name);
  if (!policy_file.empty()) text += fmt::format(":{}", policy_file);
  if (percentile != TechniqueName().percentile) text += fmt::format("@p{}", percentile);
  if (oracle) text += kOracle;
  if (truth) text += kTruth;
  return text;
}

Result<TechniqueName> ParseTechniqueName(std::string_view text) {
  TechniqueName name;
  std::string_view rest = text;
  if (rest.ends_with(kOracle)) {
    name.oracle = true;
    rest.remove_suffix(kOracle.size());
  } else if (rest.ends_with(kTruth)) {
    name.truth = true;
    rest.remove_suffix(kTruth.size());
  }
  if (const std::size_t at = rest.find('@'); at != std::string_view::npos) {
    const std::string_view percentile = rest.substr(at + 1);
    const auto* const found = std::ranges::find_if(
        kPercentiles, [&](int known) { return percentile == fmt::format("p{}", known); });
    if (found == kPercentiles.end()) {
      return Refuse(text, "the initial estimate is @p50, @p80, @p90, @p95 or @p99");
    }
    name.percentile = *found;
    rest = rest.substr(0, at);
  }
  if (rest == kPolicyWord) return Refuse(text, "name the file: policy:FILE");
  if (rest.starts_with(kPolicyWord) && rest[kPolicyWord.size()] == ':') {
    BERTH_RETURN_IF_ERROR(ReadPolicy(rest.substr(kPolicyWord.size() + 1), name));
    rest = kPolicyWord;
  }
  for (const TechniqueEntry& entry : BuiltinTechniques()) {
    if (entry.name == rest) name.technique = &entry;
  }
  if (name.technique == nullptr) {
    return Refuse(text, fmt::format("there is none of that name; there are {}", KnownTechniques()));
  }
  if (name.truth && (!name.technique->estimates || !name.policy_file.empty())) {
    return Refuse(text, "+truth is for techniques named prv_..., which go by an estimate");
  }
  return name;
}

Result<std::vector<TechniqueName>> ParseTechniqueNames(std::string_view text) {
  if (text == "all") return All();
  const std::vector<std::string_view> parts = Split(text, ',');
  if (parts.size() > kNamesMax) {
    return Refuse(text, fmt::format("at most {} at a time", kNamesMax));
  }
  std::vector<TechniqueName> names;
  for (const std::string_view part : parts) {
    BERTH_TRY(TechniqueName name, ParseTechniqueName(part));
    const bool twice = std::ranges::any_of(
        names, [&](const TechniqueName& other) { return other.ToText() == name.ToText(); });
    if (twice) return Refuse(part, "is named twice");
    names.push_back(name);
  }
  return names;
}

}  // namespace berth
