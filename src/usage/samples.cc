#include "usage/samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "base/text.h"

namespace berth {
namespace {

constexpr std::string_view kPrefix = "window/";
constexpr char kSeparator = '\0';  // In no name, and before whatever is.
constexpr std::size_t kMetricMax = 64;
// Clocks differ; what is later than that is refused.
constexpr Duration kAheadMax = kWindowLength;

std::string KeyOf(const SeriesName& name) {
  return fmt::format("{}{}{}{}{}", kPrefix, name.subject, kSeparator, name.metric, kSeparator);
}

// Eight digits of minutes since 1970: to the year 2160, in order.
std::string KeyOf(const SeriesName& name, Time begin) {
  const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(begin.time_since_epoch());
  return KeyOf(name) +
         fmt::format("{:08}", std::clamp<std::int64_t>(minutes.count(), 0, 99'999'999));
}

// The first window that begins then or later.
Time WindowFrom(Time at) {
  const Time begin = WindowOf(at);
  return begin < at && IsReckonable(at) ? begin + kWindowLength : begin;
}

// Past every key of the series.
std::string PastOf(const SeriesName& name) { return KeyOf(name) + "~"; }

SeriesName NameIn(std::string_view key) {
  key.remove_prefix(kPrefix.size());
  const std::size_t middle = key.find(kSeparator);
  const std::size_t end = key.find(kSeparator, middle + 1);
  return {std::string(key.substr(0, middle)),
          std::string(key.substr(middle + 1, end - middle - 1))};
}

}  // namespace

Status Samples::CheckMetric(std::string_view metric) {
  const auto good = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.' || c == ':' || c == '-';
  };
  if (!metric.empty() && metric.size() <= kMetricMax && std::ranges::all_of(metric, good))
    return {};
  return {Code::kInvalidArgument,
          fmt::format("{} is no metric; give at most {} letters, digits and _ . : -",
                      Quoted(metric), kMetricMax)};
}

Status Samples::CheckPoint(const UsagePoint& point, Time now) {
  if (!std::isfinite(point.value)) {
    return {Code::kInvalidArgument, "a value is not a number; leave the sample out"};
  }
  if (point.at > now + kAheadMax || point.at < now - kObservationsKept) {
    return {Code::kInvalidArgument,
            fmt::format("a sample is of {}, and now is {}; samples may be at most 35 days old and "
                        "5 minutes ahead",
                        FormatTime(point.at), FormatTime(now))};
  }
  return {};
}

Result<Samples::Taken> Samples::Take(const SeriesName& name, const std::vector<UsagePoint>& points,
                                     Time now) {
  for (const UsagePoint& point : points) BERTH_RETURN_IF_ERROR(CheckPoint(point, now));
  std::vector<Kept*> windows;
  for (const UsagePoint& point : points) {
    BERTH_TRY(windows.emplace_back(), Reach(name, WindowOf(point.at)));
  }
  Taken taken;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool added = windows[i]->window.Add(points[i].at, points[i].value);
    if (added) windows[i]->saved = false;
    ++(added ? taken.taken : taken.left_out);
  }
  return taken;
}

Result<Samples::Kept*> Samples::Reach(const SeriesName& name, Time begin) {
  const auto found = windows_.find({name, begin});
  if (found != windows_.end()) return &found->second;
  if (windows_.size() >= limits_.windows) {
    return Status(Code::kResourceExhausted,
                  fmt::format("{} windows of samples are held already; send fewer series, or again "
                              "in a minute",
                              limits_.windows));
  }
  Kept kept;
  kept.window.begin = begin;
  BERTH_TRY(const std::optional<std::string> stored, observations_.Get(KeyOf(name, begin)));
  if (stored) {
    BERTH_TRY(kept.window, DecodeWindow(*stored));
  }
  return &windows_.emplace(std::pair(name, begin), kept).first->second;
}

Status Samples::Save(Time now) {
  std::vector<Observation> entries;
  for (const auto& [key, kept] : windows_) {
    if (kept.saved) continue;
    entries.push_back({KeyOf(key.first, key.second), Encode(kept.window)});
  }
  if (!entries.empty()) {
    BERTH_RETURN_IF_ERROR(observations_.Write(entries));
    BERTH_RETURN_IF_ERROR(observations_.Sync());
  }
  for (auto& [key, kept] : windows_) kept.saved = true;
  std::erase_if(windows_,
                [&](const auto& entry) { return entry.first.second + kWindowLength <= now; });
  return {};
}

Result<std::vector<Window>> Samples::Read(const SeriesName& name, Time from, Time to,
                                          std::size_t most) const {
  std::map<Time, Window> windows;
  Status damaged;
  const auto visit = [&](std::string_view /*key*/, std::string_view value) {
    Result<Window> window = DecodeWindow(value);
    damaged = window.status();
    if (window.ok()) windows[window.value().begin] = window.value();
    return damaged.ok() && windows.size() < most;
  };
  const Time first = WindowFrom(from);
  const Time end = WindowFrom(to);
  if (first < end) {
    BERTH_RETURN_IF_ERROR(observations_.Scan(KeyOf(name, first), KeyOf(name, end), visit));
    BERTH_RETURN_IF_ERROR(damaged);
  }
  for (auto at = windows_.lower_bound({name, first});
       at != windows_.end() && at->first.first == name && at->first.second < end; ++at) {
    if (at->second.window.count > 0) windows[at->first.second] = at->second.window;
  }
  std::vector<Window> found;
  for (const auto& [begin, window] : windows) {
    if (found.size() == most) break;
    found.push_back(window);
  }
  return found;
}

Result<std::vector<SeriesName>> Samples::Names(const SeriesName& after, std::string_view subject,
                                               std::size_t most) const {
  std::set<SeriesName> names;
  const auto wanted = [&](const SeriesName& name) {
    return subject.empty() || name.subject == subject;
  };
  SeriesName last = after;
  if (!subject.empty() && last.subject < subject) last = {std::string(subject), ""};
  const std::string end = subject.empty() ? fmt::format("{}~", std::string_view("window"))
                                          : fmt::format("{}{}{}", kPrefix, subject, '\1');
  // From each name straight to the next, past its windows.
  for (bool more = true; more && names.size() < most;) {
    more = false;
    const std::string from = last == SeriesName() ? std::string(kPrefix) : PastOf(last);
    BERTH_RETURN_IF_ERROR(
        observations_.Scan(from, end, [&](std::string_view key, std::string_view) {
          last = NameIn(key);
          names.insert(last);
          more = true;
          return false;
        }));
  }
  for (const auto& [key, kept] : windows_) {
    if (after < key.first && wanted(key.first) && kept.window.count > 0) names.insert(key.first);
  }
  std::vector<SeriesName> listed(names.begin(), names.end());
  if (listed.size() > most) listed.resize(most);
  return listed;
}

}  // namespace berth
