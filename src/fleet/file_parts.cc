#include "fleet/file_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/decimal.h"
#include "base/text.h"

namespace berth {
namespace {

std::string FormatShare(std::int64_t share, std::int64_t whole) {
  std::string text =
      fmt::format("{}.{:04}", share * 100 / whole, share * 1'000'000 / whole % 10'000);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + "%";
}

}  // namespace

Resources ReadResources(Fields& fields, const Resources& otherwise) {
  Resources resources;
  for (const Resource r : kAllResources) {
    resources[r] = fields.Amount(ResourceName(r), r, otherwise[r]);
  }
  return resources;
}

Result<Labels> ReadLabels(Fields& fields, std::string_view key) {
  Labels labels;
  for (const auto& [name, value] : fields.OptionalEntries(key)) {
    if (!IsValidName(name)) {
      return value.KeyError(
          fmt::format("{} is not a label's name; write 1 to 128 letters, digits, '.', '_' or '-'",
                      Quoted(name)));
    }
    BERTH_TRY(const std::string_view text, value.Name());
    labels.emplace_back(LabelName(name), LabelName(text));
  }
  std::ranges::sort(labels);
  return labels;
}

Result<std::int64_t> ReadShare(const Node& node, ShareRange range) {
  const std::string wanted = fmt::format(
      "a share from {} to {}, like {}", FormatShare(range.min, range.whole),
      FormatShare(range.max, range.whole), range.max > range.whole ? "150% or 1.5" : "90% or 0.9");
  BERTH_TRY(const std::string_view text, node.Text());
  const auto [number, unit] = SplitUnit(text);
  if (number.empty() || (!unit.empty() && unit != "%")) {
    return node.Error(fmt::format("{} is not a share; write {}", Quoted(text), wanted));
  }
  const Scaled scaled =
      ScaleExactly(number, unit.empty() ? range.whole : range.whole / 100, range.max);
  switch (scaled.outcome) {
    case Scaled::Outcome::kExact:
      if (scaled.value >= range.min) return scaled.value;
      break;
    case Scaled::Outcome::kNotANumber:
      return node.Error(fmt::format("{} is not a share; write {}", Quoted(text), wanted));
    case Scaled::Outcome::kNotWhole:
      return node.Error(fmt::format("{} is finer than {} can tell; write {}", Quoted(text),
                                    FormatShare(1, range.whole), wanted));
    case Scaled::Outcome::kTooLarge:
      break;
  }
  return node.Error(fmt::format("{} is out of range; write {}", Quoted(text), wanted));
}

Status FirstUses::Add(const Node& node, std::string_view what, std::string_view name) {
  const auto [at, fresh] = lines_.try_emplace(std::string(name), node.line());
  if (fresh) return {};
  return node.Error(fmt::format("there is a {} {} already, on line {}; give each a name of its own",
                                what, name, at->second));
}

}  // namespace berth
