#include <fmt/format.h>

#include "base/document.h"
#include "base/document_tree.h"
#include "base/text.h"
#include "berth/name.h"

namespace berth {
namespace {

std::string_view Describe(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::kNull:
      return "is empty";
    case Node::Kind::kScalar:
      return "is a single value";
    case Node::Kind::kList:
      return "is a list";
    case Node::Kind::kMap:
      return "is a map of fields";
  }
  return {};
}

// " from 1 to 10", " of at least 1", " of at most 10" or nothing.
template <typename T>
std::string Bounds(T min, T max) {
  const bool has_min = min != std::numeric_limits<T>::lowest();
  const bool has_max = max != std::numeric_limits<T>::max();
  if (has_min && has_max) return fmt::format(" from {} to {}", min, max);
  if (has_min) return fmt::format(" of at least {}", min);
  if (has_max) return fmt::format(" of at most {}", max);
  return {};
}

}  // namespace

DocumentTree::Slice DocumentTree::Keep(std::string_view text) {
  const Slice slice{.begin = static_cast<std::uint32_t>(texts.size()),
                    .size = static_cast<std::uint32_t>(text.size())};
  texts += text;
  return slice;
}

std::string DocumentTree::PathOf(std::uint32_t index) const {
  if (index == 0) return {};
  const Item& item = items[index];
  const std::string path = PathOf(item.parent);
  if (items[item.parent].kind == Node::Kind::kMap) return JoinPath(path, TextOf(item.key));
  std::size_t place = 0;
  for (std::uint32_t i = item.parent + 1; i != index; i = items[i].end) ++place;
  return fmt::format("{}[{}]", path, place);
}

Status DocumentTree::ErrorAt(Position at, std::string_view path, std::string_view what) const {
  return {Code::kInvalidArgument, fmt::format("{}:{}:{}: {}: {}", file, at.line, at.column,
                                              path.empty() ? "top level" : path, what)};
}

std::string JoinPath(std::string_view path, std::string_view key) {
  const std::string shown = IsValidName(key) ? std::string(key) : Quoted(key);
  return path.empty() ? shown : fmt::format("{}.{}", path, shown);
}

Node::Kind Node::kind() const { return tree_->items[index_].kind; }
std::size_t Node::line() const { return tree_->items[index_].at.line; }
std::size_t Node::column() const { return tree_->items[index_].at.column; }

std::string Node::Path() const {
  const std::string path = tree_->PathOf(index_);
  return path.empty() ? "top level" : path;
}

Result<std::string_view> Node::Text() const {
  if (kind() != Kind::kScalar) return Error(fmt::format("{}; write text", Describe(kind())));
  return tree_->TextOf(tree_->items[index_].text);
}

// The text of a value that must not be in quotes.
Result<std::string_view> Node::Plain(std::string_view wanted) const {
  if (kind() != Kind::kScalar) return Error(fmt::format("{}; write {}", Describe(kind()), wanted));
  const std::string_view text = tree_->TextOf(tree_->items[index_].text);
  if (tree_->items[index_].quoted) {
    return Error(fmt::format("{} is text; write {} without quotes", Quoted(text), wanted));
  }
  return text;
}

Result<std::int64_t> Node::IntegerBetween(std::int64_t min, std::int64_t max) const {
  const std::string wanted = "a whole number" + Bounds(min, max);
  BERTH_TRY(const std::string_view text, Plain(wanted));
  const auto [value, error] = ParseInteger(text);
  if (error == std::errc::invalid_argument) {
    return Error(fmt::format("{} is not a whole number; write {}", Quoted(text), wanted));
  }
  if (error != std::errc() || value < min || value > max) {
    return Error(fmt::format("{} is out of range; write {}", Quoted(text), wanted));
  }
  return value;
}

Result<double> Node::Number(Range<double> range) const {
  const std::string wanted = "a number" + Bounds(range.min, range.max);
  BERTH_TRY(const std::string_view text, Plain(wanted));
  const auto [value, error] = ParseNumber(text);
  if (error == std::errc::invalid_argument) {
    return Error(fmt::format("{} is not a number; write {}", Quoted(text), wanted));
  }
  if (error != std::errc() || value < range.min || value > range.max) {
    return Error(fmt::format("{} is out of range; write {}", Quoted(text), wanted));
  }
  return value;
}

Result<bool> Node::Bool() const {
  BERTH_TRY(const std::string_view text, Plain("true or false"));
  if (text == "true") return true;
  if (text == "false") return false;
  return Error(fmt::format("{} is neither true nor false; write one of them", Quoted(text)));
}

Result<std::int64_t> Node::Amount(Resource resource) const {
  BERTH_TRY(const std::string_view text, Text());
  Result<std::int64_t> amount = ParseAmount(resource, text);
  if (!amount.ok()) return Error(amount.status().message());
  return amount;
}

Result<Duration> Node::Length() const {
  BERTH_TRY(const std::string_view text, Text());
  Result<Duration> duration = ParseDuration(text);
  if (!duration.ok()) return Error(duration.status().message());
  return duration;
}

Result<std::string_view> Node::Name() const {
  BERTH_TRY(const std::string_view text, Text());
  if (IsValidName(text)) return text;
  return Error(fmt::format("{} is not a name; write 1 to 128 letters, digits, '.', '_' or '-'",
                           Quoted(text)));
}

Result<std::vector<Node>> Node::Items() const {
  if (kind() != Kind::kList) return Error(fmt::format("{}; write a list", Describe(kind())));
  std::vector<Node> nodes;
  const std::uint32_t end = tree_->items[index_].end;
  for (std::uint32_t i = index_ + 1; i != end; i = tree_->items[i].end) {
    nodes.emplace_back(*tree_, i);
  }
  return nodes;
}

Result<std::vector<KeyedNode>> Node::Entries() const {
  if (kind() != Kind::kMap)
    return Error(fmt::format("{}; write a map of fields", Describe(kind())));
  std::vector<KeyedNode> entries;
  const std::uint32_t end = tree_->items[index_].end;
  for (std::uint32_t i = index_ + 1; i != end; i = tree_->items[i].end) {
    entries.push_back({.key = tree_->TextOf(tree_->items[i].key), .value = Node(*tree_, i)});
  }
  return entries;
}

std::optional<Node> Node::Find(std::string_view key) const {
  if (kind() != Kind::kMap) return std::nullopt;
  const std::uint32_t end = tree_->items[index_].end;
  for (std::uint32_t i = index_ + 1; i != end; i = tree_->items[i].end) {
    if (tree_->TextOf(tree_->items[i].key) == key) return Node(*tree_, i);
  }
  return std::nullopt;
}

Status Node::Error(std::string_view what) const {
  return tree_->ErrorAt(tree_->items[index_].at, tree_->PathOf(index_), what);
}

Status Node::KeyError(std::string_view what) const {
  const DocumentTree::Item& item = tree_->items[index_];
  return tree_->ErrorAt(item.key_at, tree_->PathOf(item.parent), what);
}

}  // namespace berth
