#include "serve/prometheus_poller.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "serve/put_samples.h"

namespace berth {
namespace {

PrometheusSource WaitingLess(PrometheusSource source) {
  source.server.wait = PrometheusPoller::kAnswerMax;
  return source;
}

// Hands over a request in pieces that a zone takes at once.
class SampleSender {
 public:
  explicit SampleSender(Zone& zone) : zone_(zone) {}
  ~SampleSender() { Flush(); }
  SampleSender(const SampleSender&) = delete;
  SampleSender& operator=(const SampleSender&) = delete;

  void Add(const std::string& subject, const std::string& metric,
           const std::vector<std::pair<Time, double>>& points) {
    v1::SampleSeries* series = nullptr;
    for (const auto& [at, value] : points) {
      if (size_ + 2 > kSamplePointsMax) {
        Flush();
        series = nullptr;
      }
      if (series == nullptr) {
        series = request_->add_series();
        series->set_subject(subject);
        series->set_metric(metric);
        ++size_;
      }
      v1::SamplePoint& point = *series->add_points();
      point.set_at_ms(
          std::chrono::duration_cast<std::chrono::milliseconds>(at.time_since_epoch()).count());
      point.set_value(value);
      ++size_;
    }
  }

 private:
  void Flush() {
    if (size_ == 0) return;
    size_ = 0;
    zone_.decides().Post([&zone = zone_, request = std::exchange(
                                             request_, std::make_shared<v1::PutSamplesRequest>())] {
      PutSamples(zone, *request, [&zone, request](const Result<v1::PutSamplesReply>& reply) {
        if (!reply.ok()) return;
        const auto refused = std::ranges::count_if(
            reply.value().errors(), [](const std::string& error) { return !error.empty(); });
        zone.observer().NotePolled({.series_refused = static_cast<std::uint64_t>(refused)});
      });
    });
  }

  Zone& zone_;
  std::shared_ptr<v1::PutSamplesRequest> request_ = std::make_shared<v1::PutSamplesRequest>();
  int size_ = 0;
};

}  // namespace

PrometheusPoller::PrometheusPoller(PrometheusSource source, Zone& zone, Audit& audit)
    : source_(WaitingLess(std::move(source))), zone_(zone), audit_(audit) {
  thread_.Post([this] { Poll(); });
}

// At whole steps since 1970, so that the same points come whenever it is asked.
void PrometheusPoller::PollLater() {
  const Time now = thread_.now();
  thread_.PostAt(now - now.time_since_epoch() % source_.every + source_.every, [this] { Poll(); });
}

void PrometheusPoller::Poll() {
  PrometheusRange range{.begin = {}, .end = thread_.now(), .step = source_.every};
  range.end -= range.end.time_since_epoch() % range.step;
  const bool first = asked_until_ == Time();
  range.begin = first ? range.end : std::max(asked_until_ + range.step, range.end - kCatchUpMax);
  Status trouble;
  for (const PolledSeries& polled : source_.series) {
    if (range.begin > range.end) break;
    const Status asked = Ask(polled, range);
    if (trouble.ok()) trouble = asked;
  }
  // What was taken already is left out when it comes again.
  if (trouble.ok()) asked_until_ = std::max(asked_until_, range.end);
  zone_.observer().NotePolled({.polls = 1, .polls_failed = trouble.ok() ? 0U : 1U});
  // Not by its words, which tell how many milliseconds were waited.
  if (trouble.code() != trouble_) {
    audit_.Say("prometheus", trouble.ok() ? "it answers again" : trouble.message());
    trouble_ = trouble.code();
  }
  PollLater();
}

Status PrometheusPoller::Ask(const PolledSeries& polled, const PrometheusRange& range) {
  BERTH_TRY(const std::vector<PrometheusSeries> found,
            QueryRange(source_.server, polled.query, range));
  Send(polled, found);
  return {};
}

void PrometheusPoller::Send(const PolledSeries& polled,
                            const std::vector<PrometheusSeries>& found) {
  SampleSender sender(zone_);
  std::uint64_t unnamed = 0;
  for (const PrometheusSeries& series : found) {
    const std::optional<std::string> subject = SubjectOf(polled, series.labels);
    if (subject) {
      sender.Add(*subject, polled.metric, series.points);
    } else {
      ++unnamed;
    }
  }
  zone_.observer().NotePolled({.series_refused = unnamed});
}

}  // namespace berth
