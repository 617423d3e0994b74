#include "berth/ids.h"

#include <charconv>
#include <utility>

#include "berth/name.h"

namespace berth {
namespace {

// A name, a separator and a number: the parts that ids have in print.
template <typename Number>
bool Take(std::string_view text, char separator, std::string& name, Number& number) {
  const std::size_t at = text.rfind(separator);
  if (at == std::string_view::npos || !IsValidName(text.substr(0, at))) return false;
  const char* const end = text.data() + text.size();
  const auto [parsed, error] = std::from_chars(text.data() + at + 1, end, number);
  name = text.substr(0, at);
  return error == std::errc() && parsed == end;
}

}  // namespace

std::string ToString(const DecisionId& id) { return id.agent + "-" + std::to_string(id.sequence); }

std::optional<DecisionId> ParseDecisionId(std::string_view text) {
  DecisionId id;
  return Take(text, '-', id.agent, id.sequence) ? std::optional(std::move(id)) : std::nullopt;
}

std::string ToString(const InstanceId& id) { return id.service + "/" + std::to_string(id.number); }

std::optional<InstanceId> ParseInstanceId(std::string_view text) {
  InstanceId id;
  return Take(text, '/', id.service, id.number) ? std::optional(std::move(id)) : std::nullopt;
}

}  // namespace berth
