#include "serve/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <array>

#include "fleet/inventory.h"
#include "fleet/packing_state.h"
#include "serve/method.h"

namespace berth {
namespace {

// A hit is tens of microseconds, a synced commit a few milliseconds, overload a second.
const prometheus::Histogram::BucketBoundaries kSeconds = {
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5};

constexpr std::array kCodes = {std::pair(Code::kOk, "ok"),
                               std::pair(Code::kInvalidArgument, "invalid_argument"),
                               std::pair(Code::kDeadlineExceeded, "deadline_exceeded"),
                               std::pair(Code::kNotFound, "not_found"),
                               std::pair(Code::kAlreadyExists, "already_exists"),
                               std::pair(Code::kPermissionDenied, "permission_denied"),
                               std::pair(Code::kResourceExhausted, "resource_exhausted"),
                               std::pair(Code::kFailedPrecondition, "failed_precondition"),
                               std::pair(Code::kAborted, "aborted"),
                               std::pair(Code::kOutOfRange, "out_of_range"),
                               std::pair(Code::kUnimplemented, "unimplemented"),
                               std::pair(Code::kInternal, "internal"),
                               std::pair(Code::kUnavailable, "unavailable"),
                               std::pair(Code::kUnauthenticated, "unauthenticated")};

}  // namespace

std::string_view CodeName(Code code) {
  for (const auto& [known, name] : kCodes) {
    if (known == code) return name;
  }
  return "unknown";
}

struct Metrics::Impl {
  prometheus::Registry registry;
  prometheus::Family<prometheus::Counter>& calls = prometheus::BuildCounter()
                                                       .Name("berth_calls_total")
                                                       .Help("Calls answered, by name and code")
                                                       .Register(registry);
  prometheus::Family<prometheus::Histogram>& seconds =
      prometheus::BuildHistogram()
          .Name("berth_call_seconds")
          .Help("From the arrival of a call to its answer, commits included")
          .Register(registry);
  // Looked up without a lock: all methods are known before the first call.
  std::map<std::string, prometheus::Histogram*, std::less<>> seconds_of;

  void Set(const char* name, const char* help, double value) {
    prometheus::BuildGauge().Name(name).Help(help).Register(registry).Add({}).Set(value);
  }
  // Of what only grows, and is counted elsewhere.
  void CountTo(const char* name, const char* help, double value) {
    prometheus::Counter& counter =
        prometheus::BuildCounter().Name(name).Help(help).Register(registry).Add({});
    counter.Increment(value - counter.Value());
  }
};

Metrics::Metrics() : impl_(std::make_unique<Impl>()) {
  for (const Method& method : Methods()) {
    impl_->seconds_of[method.name()] = &impl_->seconds.Add({{"call", method.name()}}, kSeconds);
  }
}
Metrics::~Metrics() = default;

void Metrics::NoteCall(const std::string& method, Code code, Duration took) {
  impl_->calls.Add({{"call", method}, {"code", std::string(CodeName(code))}}).Increment();
  impl_->seconds_of.at(method)->Observe(std::chrono::duration<double>(took).count());
}

std::string Metrics::Render(Zone& zone, std::uint64_t in_flight) {
  const EngineStats stats = zone.engine().stats();
  const PackingState packing = MeasurePacking(zone.view());
  const auto number = [](auto value) { return static_cast<double>(value); };
  impl_->Set("berth_calls_in_flight", "Calls let in and not answered", number(in_flight));
  impl_->Set("berth_revision", "The last commit that this process knows",
             number(ToNumber(zone.view().revision())));
  impl_->CountTo("berth_requests_accepted_total", "Requests accepted by this process",
                 number(stats.accepted));
  impl_->CountTo("berth_requests_refused_total", "Requests refused by this process",
                 number(stats.refused));
  impl_->CountTo("berth_commits_total", "Commits that the store answered", number(stats.commits));
  impl_->CountTo("berth_commit_conflicts_total", "Of them, lost to others",
                 number(stats.conflicts));
  impl_->CountTo("berth_commits_merged_total", "Of them, won although the view was stale",
                 number(stats.merged));
  impl_->CountTo("berth_kept_hits_total", "Decisions that found every evaluation kept",
                 number(stats.hits));
  impl_->CountTo("berth_kept_misses_total", "Decisions that did not", number(stats.misses));
  impl_->Set("berth_instances_pending", "Instances that wait for room", number(stats.pending));
  impl_->CountTo("berth_instances_reallocated_total",
                 "Instances moved off machines that failed or left", number(stats.reallocated));
  impl_->Set("berth_packing_density", "Cores allocated on machines in use, of their cores",
             packing.Density());
  impl_->Set("berth_cores_allocated_share", "Cores allocated, of all", packing.Utilisation());
  return prometheus::TextSerializer().Serialize(impl_->registry.Collect());
}

}  // namespace berth
