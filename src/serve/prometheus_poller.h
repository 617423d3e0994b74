// Asks a Prometheus server for samples every so often, on a thread of its own, and has the zone
// take them as if they had been sent. What it missed, such as while the server did not answer, it
// asks for later, as far as an hour back.
#pragma once

#include <string>
#include <vector>

#include "base/thread_executor.h"
#include "serve/audit.h"
#include "serve/zone.h"
#include "usage/prometheus_source.h"

namespace berth {

class PrometheusPoller {
 public:
  static constexpr Duration kCatchUpMax = std::chrono::hours(1);
  // It is not waited longer for an answer, so that stopping does not take longer either.
  static constexpr Duration kAnswerMax = std::chrono::seconds(10);

  // Both outlive it.
  PrometheusPoller(PrometheusSource source, Zone& zone, Audit& audit);
  // Waits for the question that is asked.
  ~PrometheusPoller() { thread_.Stop(); }
  PrometheusPoller(const PrometheusPoller&) = delete;
  PrometheusPoller& operator=(const PrometheusPoller&) = delete;

 private:
  void PollLater();
  void Poll();
  Status Ask(const PolledSeries& polled, const PrometheusRange& range);
  void Send(const PolledSeries& polled, const std::vector<PrometheusSeries>& found);

  const PrometheusSource source_;
  Zone& zone_;
  Audit& audit_;
  Time asked_until_;          // Everything up to it was taken.
  Code trouble_ = Code::kOk;  // Of the last time.
  ThreadExecutor thread_;     // Last: it uses everything above.
};

}  // namespace berth
