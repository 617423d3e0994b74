#include "appsim/sweep/sweep_file.h"

#include <fmt/format.h>

#include <utility>

#include "base/document.h"
#include "base/fields.h"
#include "base/text.h"
#include "berth/rng.h"
#include "fleet/file_parts.h"
#include "scale/space/autoscaler_file.h"

namespace berth {
namespace {

std::string StemOf(const std::string& path) {
  const std::string file = path.substr(path.rfind('/') + 1);
  return file.substr(0, file.find('.'));
}

std::string PolicyStem(const std::string& name) {
  const AutoscalerFiles files = SplitAutoscalerName(name);
  return files.learned.empty() ? StemOf(name) : StemOf(files.policy) + "@" + StemOf(files.learned);
}

bool IsPolicyName(std::string_view name) { return name == "none"; }

struct SweepReader {
  std::string folder{};

  std::string PathOf(std::string_view name) const {
    return name.starts_with('/') ? std::string(name) : folder + std::string(name);
  }

  // Both files of "policy.yaml@shop.learned" are beside the sweep.
  std::string PolicyPath(std::string_view name) const {
    std::string whole = PathOf(name);
    const AutoscalerFiles files = SplitAutoscalerName(whole);
    if (files.learned.empty()) return whole;
    return files.policy + "@" + PathOf(files.learned);
  }

  Result<AppText> ReadPart(const Node& node) const {
    BERTH_TRY(const std::string_view name, node.Text());
    AppText part{.file_name = PathOf(name)};
    Result<std::string> text = ReadText(part.file_name);
    if (!text.ok()) return node.Error(text.status().message());
    part.text = std::move(text).value();
    return part;
  }

  Result<SweepAxis> ReadAxis(const KeyedNode& entry) const {
    SweepAxis axis{.name = std::string(entry.key)};
    if (entry.key == "policy") return entry.value.KeyError("is a key of its own: policies");
    BERTH_TRY(const std::vector<Node> items, entry.value.Items());
    FirstUses names;
    for (const Node& item : items) {
      BERTH_TRY(AppText part, ReadPart(item));
      SweepAxis::Choice& choice = axis.choices.emplace_back();
      choice.name = StemOf(part.file_name);
      choice.part = std::move(part);
      BERTH_RETURN_IF_ERROR(names.Add(item, "choice", choice.name));
    }
    if (axis.choices.empty()) return entry.value.Error("names no file; leave the key out");
    return axis;
  }

  Result<std::vector<std::string>> ReadPolicies(const std::vector<Node>& items) const {
    std::vector<std::string> policies;
    policies.reserve(items.size());
    FirstUses names;
    for (const Node& item : items) {
      BERTH_TRY(const std::string_view name, item.Text());
      policies.push_back(IsPolicyName(name) ? std::string(name) : PolicyPath(name));
      BERTH_RETURN_IF_ERROR(names.Add(item, "policy", PolicyStem(policies.back())));
    }
    if (policies.empty()) policies.emplace_back("none");
    return policies;
  }
};

// How often a product of numbers this large would be run fits into 64 bits by far.
Status CheckSweepSize(const Sweep& sweep, const Node& root) {
  std::size_t combinations = sweep.policies.size();
  for (const SweepAxis& axis : sweep.axes) {
    combinations *= axis.choices.size();
    if (combinations > kSweepCombinationsMax) break;
  }
  if (combinations > kSweepCombinationsMax || combinations * sweep.repetitions > kSweepRunsMax) {
    return root.Error(fmt::format("has more than {} combinations or {} runs; vary less",
                                  FormatCount(kSweepCombinationsMax), FormatCount(kSweepRunsMax)));
  }
  return {};
}

}  // namespace

std::size_t Sweep::CombinationCount() const {
  std::size_t count = policies.size();
  for (const SweepAxis& axis : axes) count *= axis.choices.size();
  return count;
}

SweepCombination CombinationAt(const Sweep& sweep, std::size_t index) {
  SweepCombination combination{.choices = std::vector<std::size_t>(sweep.axes.size())};
  combination.policy = index % sweep.policies.size();
  index /= sweep.policies.size();
  for (std::size_t axis = sweep.axes.size(); axis-- > 0;) {
    combination.choices[axis] = index % sweep.axes[axis].choices.size();
    index /= sweep.axes[axis].choices.size();
  }
  return combination;
}

Result<Sweep> ReadSweepFile(const std::string& path) {
  BERTH_TRY(const Document document, ReadDocument(path));
  const SweepReader reader{.folder = path.substr(0, path.rfind('/') + 1)};
  Fields fields(document.root());
  Sweep sweep;
  const std::vector<Node> application = fields.Items("application");
  const std::vector<KeyedNode> axes = fields.OptionalEntries("vary");
  const std::vector<Node> policies = fields.OptionalItems("policies");
  sweep.repetitions =
      fields.Integer<std::size_t>("repetitions", {.min = 1, .max = kSweepRepetitionsMax}, 1);
  sweep.seed = fields.Integer<std::uint64_t>("seed", {}, 1);
  BERTH_RETURN_IF_ERROR(fields.Finish());
  for (const Node& item : application) {
    BERTH_TRY(AppText part, reader.ReadPart(item));
    sweep.application.push_back(std::move(part));
  }
  for (const KeyedNode& entry : axes) {
    BERTH_TRY(SweepAxis axis, reader.ReadAxis(entry));
    sweep.axes.push_back(std::move(axis));
  }
  BERTH_TRY(sweep.policies, reader.ReadPolicies(policies));
  BERTH_RETURN_IF_ERROR(CheckSweepSize(sweep, document.root()));
  return sweep;
}

std::uint64_t SweepDigest(const Sweep& sweep) {
  std::uint64_t digest = sweep.seed;
  const auto add = [&digest](std::string_view text) { digest = Rng(digest).Fork(text).Next(); };
  for (const AppText& part : sweep.application) add(part.text);
  for (const SweepAxis& axis : sweep.axes) {
    add(axis.name);
    for (const SweepAxis::Choice& choice : axis.choices) {
      add(choice.name);
      add(choice.part.text);
    }
  }
  for (const std::string& policy : sweep.policies) {
    add(PolicyStem(policy));
    if (IsPolicyName(policy)) continue;
    const AutoscalerFiles files = SplitAutoscalerName(policy);
    for (const std::string& file : {files.policy, files.learned}) {
      // One that cannot be read is refused when it is made.
      if (const Result<std::string> text = ReadText(file); text.ok()) add(text.value());
    }
  }
  return digest;
}

}  // namespace berth
