#include "base/fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace berth {
namespace {

// The known key that `key` was probably meant to be: at most a third of its letters differ.
std::optional<std::string_view> Nearest(std::string_view key,
                                        const std::vector<std::string_view>& known) {
  constexpr std::size_t kKeyLengthMax = 64;  // Nobody mistypes more, and the distance is quadratic.
  if (key.size() > kKeyLengthMax) return std::nullopt;
  std::optional<std::string_view> nearest;
  std::size_t best = (key.size() + 2) / 3 + 1;
  for (const std::string_view candidate : known) {
    const std::size_t distance = EditDistance(key, candidate);
    if (distance >= best) continue;
    best = distance;
    nearest = candidate;
  }
  return nearest;
}

}  // namespace

Fields::Fields(const Node& node) : node_(node) {
  if (const auto entries = node.Entries(); !entries.ok()) Keep(entries.status());
}

std::string Fields::Text(std::string_view key) {
  return std::string(
      Read(Required(key), std::string_view(), [](const Node& n) { return n.Text(); }));
}
std::string Fields::Text(std::string_view key, std::string_view otherwise) {
  return std::string(Read(Optional(key), otherwise, [](const Node& n) { return n.Text(); }));
}

double Fields::Number(std::string_view key, Range<double> range) {
  return Read(Required(key), 0.0, [range](const Node& n) { return n.Number(range); });
}
double Fields::Number(std::string_view key, Range<double> range, double otherwise) {
  return Read(Optional(key), otherwise, [range](const Node& n) { return n.Number(range); });
}

bool Fields::Bool(std::string_view key) {
  return Read(Required(key), false, [](const Node& n) { return n.Bool(); });
}
bool Fields::Bool(std::string_view key, bool otherwise) {
  return Read(Optional(key), otherwise, [](const Node& n) { return n.Bool(); });
}

std::int64_t Fields::Amount(std::string_view key, Resource resource) {
  return Read(Required(key), std::int64_t{0},
              [resource](const Node& n) { return n.Amount(resource); });
}
std::int64_t Fields::Amount(std::string_view key, Resource resource, std::int64_t otherwise) {
  return Read(Optional(key), otherwise, [resource](const Node& n) { return n.Amount(resource); });
}

Duration Fields::Length(std::string_view key) {
  return Read(Required(key), Duration(), [](const Node& n) { return n.Length(); });
}
Duration Fields::Length(std::string_view key, Duration otherwise) {
  return Read(Optional(key), otherwise, [](const Node& n) { return n.Length(); });
}

std::vector<Node> Fields::Items(std::string_view key) {
  return Read(Required(key), std::vector<Node>(), [](const Node& n) { return n.Items(); });
}
std::vector<Node> Fields::OptionalItems(std::string_view key) {
  return Read(Optional(key), std::vector<Node>(), [](const Node& n) { return n.Items(); });
}
std::vector<KeyedNode> Fields::Entries(std::string_view key) {
  return Read(Required(key), std::vector<KeyedNode>(), [](const Node& n) { return n.Entries(); });
}
std::vector<KeyedNode> Fields::OptionalEntries(std::string_view key) {
  return Read(Optional(key), std::vector<KeyedNode>(), [](const Node& n) { return n.Entries(); });
}

std::optional<Node> Fields::Required(std::string_view key) {
  std::optional<Node> node = Optional(key);
  if (!node && missing_.ok()) {
    missing_ = node_.Error(fmt::format("field '{}' is missing; add it", key));
  }
  return node;
}

std::optional<Node> Fields::Optional(std::string_view key) {
  known_.push_back(key);
  return node_.Find(key);
}

Status Fields::Finish() {
  if (!wrong_.ok()) return wrong_;
  // A misspelt key is both unknown and missing; the first names it.
  BERTH_RETURN_IF_ERROR(CheckKnown());
  return missing_;
}

void Fields::Keep(const Status& error) {
  if (wrong_.ok()) wrong_ = error;
}

Status Fields::CheckKnown() const {
  BERTH_TRY(const std::vector<KeyedNode> entries, node_.Entries());
  for (const KeyedNode& entry : entries) {
    if (std::find(known_.begin(), known_.end(), entry.key) != known_.end()) continue;
    const auto nearest = Nearest(entry.key, known_);
    const std::string advice = nearest ? fmt::format("did you mean '{}'?", *nearest)
                                       : fmt::format("known are {}", fmt::join(known_, ", "));
    return entry.value.KeyError(fmt::format("unknown field {}; {}", Quoted(entry.key), advice));
  }
  return {};
}

}  // namespace berth
