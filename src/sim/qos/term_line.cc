#include "sim/qos/term_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace berth {

bool TermLine::Take(std::string_view token) {
  while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  if (!rest_.starts_with(token)) return false;
  rest_.remove_prefix(token.size());
  return true;
}

Status TermLine::Separator() {
  const bool first = std::exchange(first_, false);
  if (Take(first ? "{" : ",")) return {};
  return lines_.Error(first ? "is not a term; write {...}." : "has too few fields");
}

Result<std::uint64_t> TermLine::Id(std::string_view what) {
  BERTH_TRY(const double number, Number(what));
  if (number < 0 || number > 9e15 ||
      number != static_cast<double>(static_cast<std::int64_t>(number)))
    return lines_.Error(fmt::format("{} {} is not a whole number from 0 on", what, number));
  return static_cast<std::uint64_t>(number);
}

Result<double> TermLine::Number(std::string_view what) {
  BERTH_RETURN_IF_ERROR(Separator());
  Take("");
  double number = 0;
  const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
  if (error != std::errc()) return lines_.Error(fmt::format("{} is not a number", what));
  rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
  return number;
}

Result<std::string> TermLine::Quoted(std::string_view what) {
  const std::size_t end = Take("\"") ? rest_.find('"') : std::string_view::npos;
  if (end == std::string_view::npos)
    return lines_.Error(fmt::format("{} is not text; write it in quotes", what));
  std::string text(rest_.substr(0, end));
  rest_.remove_prefix(end + 1);
  return text;
}

Result<std::string> TermLine::Text(std::string_view what) {
  BERTH_RETURN_IF_ERROR(Separator());
  return Quoted(what);
}

Result<QosAttributes> TermLine::Attributes(std::string_view what) {
  BERTH_RETURN_IF_ERROR(Separator());
  const auto wrong = [&] {
    return lines_.Error(fmt::format("{} are not a list; write [{{\"key\",\"value\"}}]", what));
  };
  QosAttributes attributes;
  if (!Take("[")) return wrong();
  while (!Take("]")) {
    if (!attributes.empty() && !Take(",")) return wrong();
    if (!Take("{")) return wrong();
    BERTH_TRY(std::string key, Quoted("a key"));
    if (!Take(",")) return wrong();
    BERTH_TRY(std::string value, Quoted("a value"));
    if (!Take("}")) return wrong();
    attributes.emplace_back(std::move(key), std::move(value));
  }
  std::ranges::sort(attributes);
  return attributes;
}

Status TermLine::Finish() {
  if (Take("}") && Take(".") && (Take(""), rest_.empty())) return {};
  return lines_.Error("does not end here; write as many fields as the other lines have, and }.");
}

}  // namespace berth
