#include "cli/performance_options.h"

#include <fmt/format.h>

#include "base/text.h"

namespace berth {

std::vector<std::string> KnownLimitKinds() { return {"hard", "soft"}; }

std::vector<std::string> KnownSloMethods() {
  return {std::begin(kSloMethodNames), std::end(kSloMethodNames)};
}

Result<LimitKind> ReadLimitKind(const Invocation& given) {
  const std::string& kind = given.Text("--limits");
  if (kind == "hard") return LimitKind::kHard;
  if (kind == "soft") return LimitKind::kSoft;
  return Status(Code::kInvalidArgument,
                fmt::format("--limits is hard or soft, not {}", Quoted(kind)));
}

Result<DataTable> ReadDataFile(const std::string& path) {
  BERTH_TRY(LineReader lines, LineReader::Open(path));
  return ReadDataTable(std::move(lines));
}

Result<std::vector<double>> ReadNumbers(const Invocation& given, std::string_view option) {
  const std::string& text = given.Text(option);
  std::vector<double> numbers;
  for (const std::string_view part : Split(text, ',')) {
    const auto [number, error] = ParseNumber(Trim(part));
    if (error != std::errc()) {
      return Status(
          Code::kInvalidArgument,
          fmt::format("{} is a list of numbers as 58,63,75, not {}", option, Quoted(text)));
    }
    numbers.push_back(number);
  }
  return numbers;
}

Result<std::vector<ServiceObjectives>> ReadObjectives(const Invocation& given, std::size_t count) {
  const auto read = [&](std::string_view option) -> Result<std::vector<double>> {
    BERTH_TRY(std::vector<double> numbers, ReadNumbers(given, option));
    if (numbers.size() == 1) numbers.resize(count, numbers[0]);
    if (numbers.size() == count) return numbers;
    return Status(Code::kInvalidArgument,
                  fmt::format("{} has {} numbers; give one, or {}", option, numbers.size(), count));
  };
  BERTH_TRY(const std::vector<double> response, read("--response-ms"));
  BERTH_TRY(const std::vector<double> throughput, read("--throughput-rps"));
  std::vector<ServiceObjectives> objectives;
  objectives.reserve(count);
  for (std::size_t i = 0; i < count; ++i) objectives.push_back({response[i], throughput[i]});
  return objectives;
}

}  // namespace berth
