#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "engine/replicator.h"
#include "serve/handlers/builtin.h"
#include "serve/put_samples.h"
#include "serve/told_usage.h"
#include "serve/usage_metrics.h"

namespace berth {
namespace {

// The year 3000: far enough from the end of time to reckon with.
constexpr std::int64_t kMillisMax = 32'503'680'000'000;

Time FromMillis(std::int64_t millis) { return Time(std::chrono::milliseconds(millis)); }
std::int64_t ToMillis(Time time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

// Wrong units are the commonest mistake, and one such sample would count for as long as it is kept.
// Twice, because clocks of meters differ.
std::int64_t MostOn(const Inventory& view, const Instance& instance, Resource resource) {
  const MachineState* machine = view.Find(instance.machine);
  const std::int64_t capacity = machine == nullptr ? 0 : machine->record.capacity[resource];
  return capacity == 0 ? kAmountMax : 2 * capacity;
}

Status CheckUsage(const Inventory& view, const Instance& instance, const v1::SampleSeries& series) {
  const std::optional<Resource> resource = ResourceOfMetric(series.metric());
  if (!resource) {
    return {Code::kInvalidArgument,
            fmt::format("{} is nothing that an instance uses; give one of {}",
                        Quoted(series.metric()), fmt::join(kUsageMetrics, ", "))};
  }
  const std::int64_t most = MostOn(view, instance, *resource);
  for (const v1::SamplePoint& point : series.points()) {
    if (point.value() < 0) {
      return {Code::kInvalidArgument, "an instance uses nothing or more; leave the sample out"};
    }
    if (point.value() > static_cast<double>(most)) {
      return {Code::kInvalidArgument,
              fmt::format("{:.6g} is more than {}, twice what its machine has; see to the unit",
                          point.value(), FormatCount(static_cast<std::uint64_t>(most)))};
    }
  }
  return {};
}

Status CheckSubject(const Inventory& view, const v1::SampleSeries& series) {
  BERTH_RETURN_IF_ERROR(Samples::CheckMetric(series.metric()));
  if (series.subject().find('/') == std::string::npos) {
    if (view.FindService(series.subject()) != nullptr) return {};
    return {Code::kNotFound, fmt::format("there is no service {}", Quoted(series.subject()))};
  }
  const std::optional<InstanceId> id = ParseInstanceId(series.subject());
  const Instance* instance = id ? view.Find(*id) : nullptr;
  if (instance == nullptr) {
    return {Code::kNotFound, fmt::format("there is no instance {}", Quoted(series.subject()))};
  }
  return CheckUsage(view, *instance, series);
}

// When it was taken; if it does not say, now.
Time TakenAt(const v1::SamplePoint& point, Time now) {
  const std::int64_t at = std::clamp<std::int64_t>(point.at_ms(), 0, kMillisMax);
  return at == 0 ? now : FromMillis(at);
}

std::vector<UsagePoint> PointsOf(const v1::SampleSeries& series, Time now) {
  std::vector<UsagePoint> points;
  points.reserve(static_cast<std::size_t>(series.points_size()));
  for (const v1::SamplePoint& point : series.points()) {
    points.push_back({TakenAt(point, now), point.value()});
  }
  return points;
}

Status CheckSeries(const Inventory& view, const v1::SampleSeries& series, Time now) {
  BERTH_RETURN_IF_ERROR(CheckSubject(view, series));
  for (const v1::SamplePoint& point : series.points()) {
    BERTH_RETURN_IF_ERROR(Samples::CheckPoint({TakenAt(point, now), point.value()}, now));
  }
  return {};
}

std::string TakeSeries(Samples& samples, const v1::SampleSeries& series, Time now,
                       Samples::Taken& sum) {
  const Result<Samples::Taken> taken =
      samples.Take({series.subject(), series.metric()}, PointsOf(series, now), now);
  if (!taken.ok()) return taken.status().message();
  sum.taken += taken.value().taken;
  sum.left_out += taken.value().left_out;
  return {};
}

// Tells the engine what instances took: every sample, and of each the latest and the most; and what
// services are measured by.
void Observe(Zone& zone, const v1::PutSamplesRequest& request, const v1::PutSamplesReply& reply,
             Time now) {
  ToldUsage told;
  for (int i = 0; i < request.series_size(); ++i) {
    const v1::SampleSeries& series = request.series(i);
    if (!reply.errors(i).empty()) continue;
    const auto points = PointsOf(series, now);
    const std::optional<Resource> resource = ResourceOfMetric(series.metric());
    const std::optional<InstanceId> id = ParseInstanceId(series.subject());
    if (!id) zone.engine().replicator().ObserveMetric(series.subject(), series.metric(), points);
    if (!resource || !id) continue;
    told.Add(*zone.view().Find(*id), *resource, points);
    zone.engine().ObserveUsage(*id, *resource, points);
  }
  for (const auto& [of, usage] : told.all()) {
    zone.Observe(of.first, usage.latest, usage.most, of.second);
  }
}

}  // namespace

void PutSamples(Zone& zone, const v1::PutSamplesRequest& request,
                const Respond<v1::PutSamplesReply>& respond) {
  int points = 0;
  for (const v1::SampleSeries& series : request.series()) points += 1 + series.points_size();
  if (points > kSamplePointsMax) {
    return respond(Status(Code::kInvalidArgument,
                          fmt::format("series and points are {}, and {} are the most; send several "
                                      "calls",
                                      points, kSamplePointsMax)));
  }
  v1::PutSamplesReply reply;
  const Time now = zone.decides().now();
  for (const v1::SampleSeries& series : request.series()) {
    reply.add_errors(CheckSeries(zone.view(), series, now).message());
  }
  Observe(zone, request, reply, now);
  // The request lives as long as `respond`, and is large.
  zone.observer().Use([&observer = zone.observer(), &request, reply = std::move(reply), now,
                       respond](Samples& samples, Time /*now*/) mutable {
    Samples::Taken sum;
    for (int i = 0; i < request.series_size(); ++i) {
      if (!reply.errors(i).empty()) continue;
      reply.set_errors(i, TakeSeries(samples, request.series(i), now, sum));
    }
    observer.Note(sum);
    reply.set_taken(sum.taken);
    reply.set_left_out(sum.left_out);
    respond(std::move(reply));
  });
}

namespace {

// A page begins at the window that its token names, in milliseconds.
void ListSamples(Zone& zone, const v1::ListSamplesRequest& request,
                 const Respond<v1::SampleList>& respond) {
  const Result<Page> page = Page::Of(request.page_size(), request.page_token());
  if (!page.ok()) return respond(page.status());
  if (const Status status = Samples::CheckMetric(request.metric()); !status.ok()) {
    return respond(status);
  }
  const auto millis = [](std::int64_t at) { return std::clamp<std::int64_t>(at, 0, kMillisMax); };
  const auto begin = static_cast<std::int64_t>(
      std::min<std::uint64_t>(page.value().begin(), static_cast<std::uint64_t>(kMillisMax)));
  const Time from = FromMillis(std::max(millis(request.from_ms()), begin));
  const Time to = FromMillis(request.to_ms() == 0 ? kMillisMax : millis(request.to_ms()));
  const SeriesName name{request.subject(), request.metric()};
  zone.observer().Use(
      [name, from, to, size = page.value().size(), respond](Samples& samples, Time /*now*/) {
        const Result<std::vector<Window>> windows = samples.Read(name, from, to, size + 1);
        if (!windows.ok()) return respond(windows.status());
        v1::SampleList reply;
        for (const Window& window : windows.value()) {
          if (static_cast<std::uint32_t>(reply.windows_size()) == size) {
            reply.set_next_page_token(std::to_string(ToMillis(window.begin)));
            break;
          }
          v1::SampleWindow& to_window = *reply.add_windows();
          to_window.set_begin_ms(ToMillis(window.begin));
          to_window.set_count(window.count);
          to_window.set_mean(window.mean());
          to_window.set_min(window.min);
          to_window.set_max(window.max);
        }
        respond(std::move(reply));
      });
}

// A page begins after the series that its token names, "SUBJECT METRIC".
void ListNames(Zone& zone, const v1::ListSeriesRequest& request,
               const Respond<v1::SeriesList>& respond) {
  const Result<Page> page = Page::Of(request.page_size(), "");
  if (!page.ok()) return respond(page.status());
  const std::string& token = request.page_token();
  const std::size_t space = token.find(' ');
  if (!token.empty() && space == std::string::npos) {
    return respond(Status(Code::kInvalidArgument, "page_token is none that a page ended with"));
  }
  const SeriesName after =
      token.empty() ? SeriesName() : SeriesName{token.substr(0, space), token.substr(space + 1)};
  zone.observer().Use([after, subject = request.subject(), size = page.value().size(), respond](
                          Samples& samples, Time /*now*/) {
    const Result<std::vector<SeriesName>> names = samples.Names(after, subject, size + 1);
    if (!names.ok()) return respond(names.status());
    v1::SeriesList reply;
    for (const SeriesName& name : names.value()) {
      if (static_cast<std::uint32_t>(reply.series_size()) == size) {
        const v1::Series& last = *reply.series().rbegin();
        reply.set_next_page_token(fmt::format("{} {}", last.subject(), last.metric()));
        break;
      }
      v1::Series& series = *reply.add_series();
      series.set_subject(name.subject);
      series.set_metric(name.metric);
    }
    respond(std::move(reply));
  });
}

}  // namespace

void AddSampleHandlers(HandlerTable& table) {
  AddHandler(table, "PutSamples", PutSamples);
  AddHandler(table, "ListSamples", ListSamples);
  AddHandler(table, "ListSeries", ListNames);
}

}  // namespace berth
