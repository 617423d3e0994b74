#include "sim/qos/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/csv.h"
#include "base/lines.h"
#include "sim/qos/term_line.h"

namespace berth {
namespace {

constexpr double kSecondsMax = 1e10;  // Three centuries.

Result<Duration> Seconds(double seconds, std::string_view what, const LineReader& lines) {
  if (!(seconds >= 0 && seconds <= kSecondsMax)) {
    return lines.Error(
        fmt::format("{} of {} s is negative or beyond {:g} s", what, seconds, kSecondsMax));
  }
  return Duration(std::llround(seconds * 1e6));
}

// What a hair of floating point adds is no part more.
constexpr double kHair = 1e-6;

Result<Resources> Shares(double cpu, double memory, bool round_up, const LineReader& lines) {
  Resources room;
  for (const auto& [resource, share] :
       {std::pair(Resource::kCpu, cpu), std::pair(Resource::kMemory, memory)}) {
    if (!(share >= 0 && share <= 1e6)) {
      return lines.Error(
          fmt::format("{} of {} is not a share from 0 on", ResourceName(resource), share));
    }
    const double parts = share * kQosShareParts;
    room[resource] =
        static_cast<std::int64_t>(round_up ? std::ceil(parts - kHair) : std::floor(parts + kHair));
  }
  return room;
}

// Calls `read` for every line that is not empty.
template <typename Read>
Status ForEachLine(LineReader& lines, const Read& read) {
  for (;;) {
    BERTH_TRY(const std::optional<std::string_view> line, lines.Next());
    if (!line) return {};
    if (!line->empty()) BERTH_RETURN_IF_ERROR(read(*line));
  }
}

class WorkloadReader {
 public:
  WorkloadReader(LineReader lines, const std::vector<ServiceClass>& classes)
      : lines_(std::move(lines)), classes_(classes) {}

  Result<std::vector<QosRequest>> Read() {
    const auto read = [&](std::string_view line) -> Status {
      BERTH_TRY(QosRequest request, line.starts_with('{') ? ReadTerm(line) : ReadCommas(line));
      if (!requests_.empty() && request.at < requests_.back().at) {
        return lines_.Error("comes earlier than the line before; sort the file by time");
      }
      if (requests_.size() == kQosFileRequestsMax)
        return lines_.Error(fmt::format("is one request more than {}", kQosFileRequestsMax));
      requests_.push_back(std::move(request));
      return {};
    };
    BERTH_RETURN_IF_ERROR(ForEachLine(lines_, read));
    return std::move(requests_);
  }

 private:
  Result<std::uint32_t> ClassCalled(std::string_view name) const {
    const auto at = std::ranges::find(classes_, name, [](const ServiceClass& klass) {
      return std::string_view(klass.name.str());
    });
    if (at == classes_.end())
      return lines_.Error(fmt::format("there is no class '{}' in the policy", name));
    return static_cast<std::uint32_t>(at - classes_.begin());
  }

  Result<QosRequest> ReadTerm(std::string_view line) {
    TermLine term(line, lines_);
    QosRequest request;
    BERTH_TRY(const double at, term.Number("the time"));
    BERTH_TRY(request.task, term.Id("the task"));
    BERTH_TRY(request.job, term.Id("the job"));
    BERTH_TRY(const double duration, term.Number("the duration"));
    BERTH_TRY(const double cpu, term.Number("cpu"));
    BERTH_TRY(const double memory, term.Number("memory"));
    BERTH_TRY(const std::uint64_t priority, term.Id("the priority"));
    BERTH_TRY(const std::uint64_t apart, term.Id("anti-affinity"));
    BERTH_TRY(request.constraints, term.Attributes("the constraints"));
    BERTH_RETURN_IF_ERROR(term.Finish());
    BERTH_TRY(request.klass, ClassCalled(priority > 8    ? "gold"
                                         : priority >= 2 ? "silver"
                                                         : "bronze"));
    request.apart = apart != 0;
    BERTH_RETURN_IF_ERROR(SetAmounts(at, duration, cpu, memory, request));
    return request;
  }

  Result<QosRequest> ReadCommas(std::string_view line) {
    BERTH_RETURN_IF_ERROR(SplitCsv(line, fields_));
    if (fields_.size() != 12)
      return lines_.Error(fmt::format("has {} fields, not 12", fields_.size()));
    QosRequest request;
    std::map<std::size_t, double> numbers;
    for (const std::size_t i : {0U, 1U, 2U, 4U, 6U, 8U, 9U, 11U}) {
      char* end = nullptr;
      numbers[i] = std::strtod(fields_[i].c_str(), &end);
      if (fields_[i].empty() || *end != '\0')
        return lines_.Error(fmt::format("field {}, '{}', is not a number", i + 1, fields_[i]));
    }
    request.task = static_cast<std::uint64_t>(std::max(0.0, std::min(numbers[1], 9e15)));
    request.job = static_cast<std::uint64_t>(std::max(0.0, std::min(numbers[2], 9e15)));
    request.apart = numbers[4] != 0;
    const std::string& given = fields_[10];
    const std::string_view name = given == "prod"    ? "gold"
                                  : given == "batch" ? "silver"
                                  : given == "free"  ? "bronze"
                                                     : std::string_view(given);
    BERTH_TRY(request.klass, ClassCalled(name));
    BERTH_RETURN_IF_ERROR(CheckTarget(numbers[11], classes_[request.klass]));
    BERTH_RETURN_IF_ERROR(SetAmounts(numbers[0], numbers[6], numbers[8], numbers[9], request));
    return request;
  }

  Status CheckTarget(double target, const ServiceClass& klass) const {
    if (!(target > 0 && target <= 1))
      return lines_.Error(fmt::format("a target of {} is not above 0 and at most 1", target));
    const double promised = klass.availability_ppm / 1e6;
    if (std::abs(target - promised) > kHair) {
      return lines_.Error(fmt::format("a target of {}, but the policy's class {} promises {}",
                                      target, klass.name.str(), promised));
    }
    return {};
  }

  Status SetAmounts(double at, double duration, double cpu, double memory, QosRequest& request) {
    BERTH_TRY(const Duration since_start, Seconds(at, "a time", lines_));
    request.at = Time(since_start);
    BERTH_TRY(request.duration, Seconds(duration, "a duration", lines_));
    BERTH_TRY(request.demand, Shares(cpu, memory, true, lines_));
    return {};
  }

  LineReader lines_;
  const std::vector<ServiceClass>& classes_;
  std::vector<QosRequest> requests_;
  std::vector<std::string> fields_;
};

}  // namespace

Result<std::vector<QosHost>> ReadQosHosts(const std::string& path) {
  BERTH_TRY(LineReader lines, LineReader::Open(path));
  std::vector<QosHost> hosts;
  std::map<std::uint64_t, std::size_t> line_of_id;
  std::map<std::string, std::size_t> line_of_name;
  const auto read = [&](std::string_view line) -> Status {
    TermLine term(line, lines);
    QosHost host;
    BERTH_TRY(const std::uint64_t id, term.Id("the id"));
    BERTH_TRY(host.name, term.Text("the name"));
    BERTH_TRY(const double cpu, term.Number("cpu"));
    BERTH_TRY(const double memory, term.Number("memory"));
    BERTH_TRY(host.attributes, term.Attributes("the attributes"));
    BERTH_RETURN_IF_ERROR(term.Finish());
    BERTH_TRY(host.capacity, Shares(cpu, memory, false, lines));
    const auto [by_id, new_id] = line_of_id.try_emplace(id, lines.line_number());
    if (!new_id)
      return lines.Error(fmt::format("host {} is on line {} already", id, by_id->second));
    const auto [by_name, new_name] = line_of_name.try_emplace(host.name, lines.line_number());
    if (!new_name)
      return lines.Error(fmt::format("host {} is on line {} already", host.name, by_name->second));
    if (hosts.size() == kQosHostsMax)
      return lines.Error(fmt::format("is one host more than {}", kQosHostsMax));
    hosts.push_back(std::move(host));
    return {};
  };
  BERTH_RETURN_IF_ERROR(ForEachLine(lines, read));
  if (hosts.empty()) return Status(Code::kInvalidArgument, path + ": there is no host in it");
  return hosts;
}

Result<std::vector<QosRequest>> ReadQosWorkload(const std::string& path,
                                                const std::vector<ServiceClass>& classes) {
  BERTH_TRY(LineReader lines, LineReader::Open(path));
  return WorkloadReader(std::move(lines), classes).Read();
}

namespace {

constexpr std::size_t kRowsMax = 1'000'000;

Result<double> SecondsField(const std::string& field, const LineReader& lines) {
  char* end = nullptr;
  const double seconds = std::strtod(field.c_str(), &end);
  if (field.empty() || *end != '\0')
    return lines.Error(fmt::format("'{}' is not a number of seconds", field));
  return seconds;
}

}  // namespace

Result<QosOverheads> ReadQosOverheads(const std::string& path) {
  BERTH_TRY(LineReader lines, LineReader::Open(path));
  QosOverheads overheads;
  std::vector<std::string> fields;
  const auto read = [&](std::string_view line) -> Status {
    BERTH_RETURN_IF_ERROR(SplitCsv(line, fields));
    if (fields.size() != 2 || (fields[0] != "hot" && fields[0] != "cold"))
      return lines.Error("is no overhead; write hot,SECONDS or cold,SECONDS");
    BERTH_TRY(const double seconds, SecondsField(fields[1], lines));
    BERTH_TRY(const Duration took, Seconds(seconds, "an overhead", lines));
    std::vector<Duration>& list = fields[0] == "hot" ? overheads.hot : overheads.cold;
    if (list.size() == kRowsMax) return lines.Error(fmt::format("is one more than {}", kRowsMax));
    list.push_back(took);
    return {};
  };
  BERTH_RETURN_IF_ERROR(ForEachLine(lines, read));
  if (overheads.hot.empty() || overheads.cold.empty()) {
    return Status(Code::kInvalidArgument,
                  path + ": there must be at least one hot and one cold overhead in it");
  }
  return overheads;
}

Result<std::vector<QosOutage>> ReadQosOutages(const std::string& path,
                                              const std::vector<QosHost>& hosts) {
  BERTH_TRY(LineReader lines, LineReader::Open(path));
  std::map<std::string_view, std::uint32_t> index_of;
  for (std::uint32_t i = 0; i < hosts.size(); ++i) index_of[hosts[i].name] = i;
  std::map<std::uint32_t, Time> back_at;
  std::vector<QosOutage> outages;
  std::vector<std::string> fields;
  const auto read = [&](std::string_view line) -> Status {
    BERTH_RETURN_IF_ERROR(SplitCsv(line, fields));
    if (fields.size() != 3) return lines.Error("is no outage; write HOST,FROM,UNTIL");
    const auto host = index_of.find(fields[0]);
    if (host == index_of.end()) return lines.Error(fmt::format("there is no host '{}'", fields[0]));
    BERTH_TRY(const double from_s, SecondsField(fields[1], lines));
    BERTH_TRY(const double until_s, SecondsField(fields[2], lines));
    BERTH_TRY(const Duration from, Seconds(from_s, "a time", lines));
    BERTH_TRY(const Duration until, Seconds(until_s, "a time", lines));
    if (until <= from) return lines.Error("ends no later than it begins");
    if (!outages.empty() && Time(from) < outages.back().from)
      return lines.Error("begins earlier than the line before; sort the file by time");
    if (const auto back = back_at.find(host->second);
        back != back_at.end() && Time(from) <= back->second)
      return lines.Error(fmt::format("host {} is still away then", fields[0]));
    if (outages.size() == kRowsMax)
      return lines.Error(fmt::format("is one outage more than {}", kRowsMax));
    back_at[host->second] = Time(until);
    outages.push_back({host->second, Time(from), Time(until)});
    return {};
  };
  BERTH_RETURN_IF_ERROR(ForEachLine(lines, read));
  return outages;
}

}  // namespace berth
