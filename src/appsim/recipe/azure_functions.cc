#include "appsim/recipe/azure_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/csv.h"
#include "base/quantiles.h"
#include "base/text.h"

namespace berth {
namespace {

constexpr std::size_t kTraceMinutes = 1'440;
constexpr double kTraceHourSeconds = 3'600;
constexpr double kCallsMax = 1e12;
constexpr double kMillisMax = 1e9;
constexpr double kMiddleHalf = 1.3489795003921634;  // Of a bell curve, in deviations.

struct TracedApplication {
  std::set<std::string, std::less<>> functions;
  std::array<double, 24> hourly_calls{};

  double calls() const { return std::accumulate(hourly_calls.begin(), hourly_calls.end(), 0.0); }
};
using TracedApplications = std::map<std::string, TracedApplication, std::less<>>;

Result<double> TraceNumber(const CsvReader& csv, CsvColumn column, double most) {
  BERTH_TRY(const double number, csv.Number(column));
  if (number >= 0 && number <= most) return number;
  return csv.Error(column, fmt::format("{} is not from 0 to {:.0g}; mend it", number, most));
}

Status TooManyFunctionRows(const CsvReader& csv) {
  return csv.Error(
      fmt::format("is one row too many; a file has at most {}", FormatCount(kFunctionRowsMax)));
}

Result<TracedApplications> ReadInvocations(const std::string& path) {
  BERTH_TRY(LineReader lines, LineReader::Open(path));
  BERTH_TRY(CsvReader csv, CsvReader::Open(std::move(lines)));
  BERTH_TRY(const CsvColumn application, csv.Column("HashApp"));
  BERTH_TRY(const CsvColumn function, csv.Column("HashFunction"));
  std::vector<CsvColumn> minutes;
  minutes.reserve(kTraceMinutes);
  for (std::size_t minute = 1; minute <= kTraceMinutes; ++minute) {
    BERTH_TRY(const CsvColumn column, csv.Column(std::to_string(minute)));
    minutes.push_back(column);
  }
  TracedApplications applications;
  for (std::size_t rows = 0;; ++rows) {
    BERTH_TRY(const bool more, csv.Next());
    if (!more) return applications;
    if (rows == kFunctionRowsMax) return TooManyFunctionRows(csv);
    TracedApplication& one = applications[std::string(csv.Text(application))];
    one.functions.emplace(csv.Text(function));
    for (std::size_t minute = 0; minute < kTraceMinutes; ++minute) {
      BERTH_TRY(const double calls, TraceNumber(csv, minutes[minute], kCallsMax));
      one.hourly_calls[minute / 60] += calls;
    }
  }
}

// Those between the quantiles.
TracedApplications SelectedApplications(TracedApplications all, const FunctionsQuery& query) {
  std::vector<double> calls;
  calls.reserve(all.size());
  for (const auto& [name, one] : all) calls.push_back(one.calls());
  const double least = Quantile(calls, query.calls_quantile_from);
  const double most = Quantile(calls, query.calls_quantile_to);
  std::erase_if(all, [&](const auto& each) {
    return each.second.calls() < least || each.second.calls() > most;
  });
  return all;
}

Status ReadDurations(const std::string& path, const TracedApplications& selected,
                     FunctionsProfile& profile) {
  BERTH_TRY(LineReader lines, LineReader::Open(path));
  BERTH_TRY(CsvReader csv, CsvReader::Open(std::move(lines)));
  BERTH_TRY(const CsvColumn application, csv.Column("HashApp"));
  BERTH_TRY(const CsvColumn average, csv.Column("Average"));
  BERTH_TRY(const CsvColumn quarter, csv.Column("percentile_Average_25"));
  BERTH_TRY(const CsvColumn three_quarters, csv.Column("percentile_Average_75"));
  for (std::size_t rows = 0;; ++rows) {
    BERTH_TRY(const bool more, csv.Next());
    if (!more) break;
    if (rows == kFunctionRowsMax) return TooManyFunctionRows(csv);
    if (!selected.contains(csv.Text(application))) continue;
    BERTH_TRY(const double mean, TraceNumber(csv, average, kMillisMax));
    BERTH_TRY(const double low, TraceNumber(csv, quarter, kMillisMax));
    BERTH_TRY(const double high, TraceNumber(csv, three_quarters, kMillisMax));
    if (high < low) return csv.Error(three_quarters, "is below percentile_Average_25; mend it");
    profile.duration_ms_means.push_back(mean);
    profile.duration_ms_deviations.push_back((high - low) / kMiddleHalf);
  }
  if (!profile.duration_ms_means.empty()) return {};
  return {Code::kInvalidArgument,
          fmt::format("{}: has no function of the applications that were selected; name the file "
                      "of the same day as the invocations",
                      path)};
}

}  // namespace

Result<FunctionsProfile> ReadFunctions(const FunctionsQuery& query) {
  BERTH_TRY(TracedApplications all, ReadInvocations(query.invocations_file));
  if (all.empty()) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{}: has no rows; name another file", query.invocations_file));
  }
  const TracedApplications selected = SelectedApplications(std::move(all), query);
  FunctionsProfile profile{.applications = selected.size()};
  std::vector<double> sizes;
  sizes.reserve(selected.size());
  const double seconds = kTraceHourSeconds * static_cast<double>(selected.size());
  for (const auto& [name, one] : selected) {
    sizes.push_back(static_cast<double>(one.functions.size()));
    for (std::size_t hour = 0; hour < 24; ++hour) {
      profile.hourly_rates[hour] += one.hourly_calls[hour] / seconds;
    }
  }
  profile.services = static_cast<std::size_t>(Quantile(sizes, query.size_quantile));
  BERTH_RETURN_IF_ERROR(ReadDurations(query.durations_file, selected, profile));
  return profile;
}

}  // namespace berth
