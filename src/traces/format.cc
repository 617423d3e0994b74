#include "traces/format.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace berth {
namespace {

Status Wrong(std::string message) { return {Code::kInvalidArgument, std::move(message)}; }

struct KeyAndValue {
  std::string_view key;
  std::string_view value;
};
Result<KeyAndValue> SplitAtEquals(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) {
    return Wrong(fmt::format("{} has no '='; write name=value", Quoted(text)));
  }
  return KeyAndValue{.key = text.substr(0, equals), .value = text.substr(equals + 1)};
}

Status CheckName(std::string_view what, std::string_view name) {
  if (IsValidName(name)) return {};
  return Wrong(fmt::format("{} {} is not a name; write 1 to 128 letters, digits, '.', '_' and '-'",
                           what, Quoted(name)));
}

Status ReadTypePart(const KeyAndValue& part, InstanceType& type) {
  if (part.key == "skus") {
    for (const std::string_view sku : Split(part.value, ';')) {
      BERTH_RETURN_IF_ERROR(CheckName("sku", sku));
      type.skus.emplace_back(sku);
    }
    return {};
  }
  if (part.key == "labels") {
    BERTH_TRY(type.requires_labels, ParseTraceLabels(part.value));
    return {};
  }
  for (const Resource r : kAllResources) {
    if (part.key != ResourceName(r)) continue;
    BERTH_TRY(type.size[r], ParseAmount(r, part.value));
    return {};
  }
  return Wrong(
      fmt::format("{} is not part of a type; the parts are cpu, memory, disk, network, gpu, skus "
                  "and labels",
                  Quoted(part.key)));
}

}  // namespace

Result<Labels> ParseTraceLabels(std::string_view text) {
  Labels labels;
  if (text.empty()) return labels;
  for (const std::string_view item : Split(text, ';')) {
    BERTH_TRY(const KeyAndValue label, SplitAtEquals(item));
    BERTH_RETURN_IF_ERROR(CheckName("label", label.key));
    BERTH_RETURN_IF_ERROR(CheckName("label", label.value));
    labels.emplace_back(LabelName(label.key), LabelName(label.value));
  }
  std::ranges::sort(labels);
  const auto twin = std::ranges::adjacent_find(labels, {}, &Labels::value_type::first);
  if (twin != labels.end()) {
    return Wrong(fmt::format("label {} is given twice; leave one out", Quoted(twin->first.str())));
  }
  return labels;
}

std::string FormatTraceLabels(const Labels& labels) {
  std::string text;
  for (const auto& [name, value] : labels) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ";", name.str(), value.str());
  }
  return text;
}

Result<InstanceType> ParseTypeLine(std::string_view line) {
  InstanceType type;
  bool named = false;
  for (const std::string_view part : Split(line.substr(kTypeLineStart.size()), ' ')) {
    const std::string_view word = Trim(part);
    if (word.empty()) continue;
    if (!named) {
      BERTH_RETURN_IF_ERROR(CheckName("type", word));
      type.name = TypeId(word);
      named = true;
      continue;
    }
    BERTH_TRY(const KeyAndValue key_and_value, SplitAtEquals(word));
    BERTH_RETURN_IF_ERROR(ReadTypePart(key_and_value, type));
  }
  if (!named) return Wrong("a type without a name; write '#type D4 cpu=4 memory=16Gi'");
  if (type.size.IsZero()) {
    return Wrong(fmt::format("type {} has no size; write '#type {} cpu=4 memory=16Gi'",
                             Quoted(type.name.str()), type.name.str()));
  }
  return type;
}

std::string FormatTypeLine(const InstanceType& type) {
  std::string line = fmt::format("{} {}", kTypeLineStart, type.name.str());
  for (const Resource r : kAllResources) {
    if (type.size[r] == 0) continue;
    line += fmt::format(" {}={}", ResourceName(r), FormatAmount(r, type.size[r]));
  }
  for (std::size_t i = 0; i < type.skus.size(); ++i) {
    line += fmt::format("{}{}", i == 0 ? " skus=" : ";", type.skus[i].str());
  }
  if (!type.requires_labels.empty()) {
    line += " labels=" + FormatTraceLabels(type.requires_labels);
  }
  return line;
}

}  // namespace berth
