#include "appsim/recipe/number_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/fields.h"
#include "base/text.h"
#include "berth/check.h"

namespace berth {

NumberChoice NumberChoice::OneOf(const std::vector<double>& values) {
  BERTH_CHECK(!values.empty());
  NumberChoice choice;
  choice.parts_.reserve(values.size());
  for (const double value : values) choice.parts_.push_back({value, value});
  return choice;
}

NumberChoice NumberChoice::Between(double least, double most) {
  BERTH_CHECK(least <= most);
  NumberChoice choice;
  choice.parts_.push_back({least, most});
  return choice;
}

NumberChoice NumberChoice::FromSamples(std::span<const double> samples, std::size_t bins) {
  BERTH_CHECK(!samples.empty() && bins > 0);
  const auto [least, most] = std::ranges::minmax(samples);
  if (least == most) return Of(least);
  const double width = (most - least) / static_cast<double>(bins);
  std::vector<std::size_t> counts(bins, 0);
  for (const double sample : samples) {
    const auto bin = static_cast<std::size_t>((sample - least) / width);
    ++counts[std::min(bin, bins - 1)];  // The most is of the last.
  }
  NumberChoice choice;
  std::size_t sum = 0;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    if (counts[bin] == 0) continue;
    sum += counts[bin];
    const double from = least + width * static_cast<double>(bin);
    choice.parts_.push_back({from, bin + 1 == bins ? most : from + width});
    choice.up_to_.push_back(static_cast<double>(sum) / static_cast<double>(samples.size()));
  }
  return choice;
}

double NumberChoice::Draw(Rng& rng) const {
  std::size_t at = 0;
  if (up_to_.empty()) {
    at = static_cast<std::size_t>(rng.Below(parts_.size()));
  } else {
    const double place = rng.Unit();
    while (at + 1 < parts_.size() && up_to_[at] <= place) ++at;
  }
  const Part& part = parts_[at];
  return part.from + (part.to - part.from) * rng.Unit();
}

double NumberChoice::least() const { return std::ranges::min(parts_, {}, &Part::from).from; }
double NumberChoice::most() const { return std::ranges::max(parts_, {}, &Part::to).to; }

Result<NumberChoice> ReadChoice(const Node& node, const ReadOneNumber& read) {
  if (node.kind() == Node::Kind::kMap) {
    Fields fields(node);
    const std::optional<Node> min = fields.Required("min");
    const std::optional<Node> max = fields.Required("max");
    BERTH_RETURN_IF_ERROR(fields.Finish());
    BERTH_TRY(const double least, read(*min));
    BERTH_TRY(const double most, read(*max));
    if (most < least) return node.Error("has max below min; raise it");
    return NumberChoice::Between(least, most);
  }
  if (node.kind() != Node::Kind::kList) {
    BERTH_TRY(const double value, read(node));
    return NumberChoice::Of(value);
  }
  BERTH_TRY(const std::vector<Node> items, node.Items());
  if (items.empty()) return node.Error("has no values to choose from; write at least one");
  if (items.size() > kChoiceOptionsMax) {
    return node.Error(fmt::format("has {} values; write at most {}", FormatCount(items.size()),
                                  FormatCount(kChoiceOptionsMax)));
  }
  std::vector<double> values;
  values.reserve(items.size());
  for (const Node& item : items) {
    BERTH_TRY(const double value, read(item));
    values.push_back(value);
  }
  return NumberChoice::OneOf(values);
}

}  // namespace berth
