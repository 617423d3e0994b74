#include "rightsize/date.h"

#include <fmt/format.h>

#include <chrono>

#include "base/text.h"

namespace berth {

Result<Time> ParseDate(std::string_view text) {
  const std::vector<std::string_view> parts = Split(text, '-');
  if (parts.size() == 3 && parts[0].size() == 4 && parts[1].size() == 2 && parts[2].size() == 2) {
    const auto part = [&](std::size_t i) { return ParseInteger(parts[i]).value; };
    const std::chrono::year_month_day day{std::chrono::year(static_cast<int>(part(0))),
                                          std::chrono::month(static_cast<unsigned>(part(1))),
                                          std::chrono::day(static_cast<unsigned>(part(2)))};
    if (day.ok() && part(0) >= 1970) return Time(std::chrono::sys_days(day).time_since_epoch());
  }
  return Status(Code::kInvalidArgument,
                fmt::format("{} is no day; write it like 2026-11-20", Quoted(text)));
}

void ReadDate(Fields& fields, std::string_view key, Time& date) {
  const std::optional<Node> node = fields.Optional(key);
  if (!node) return;
  const Result<std::string_view> text = node->Text();
  if (!text.ok()) return fields.Check(text.status());
  const Result<Time> parsed = ParseDate(text.value());
  if (!parsed.ok()) return fields.Check(node->Error(parsed.status().message()));
  date = parsed.value();
}

}  // namespace berth
