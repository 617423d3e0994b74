#include "sim/qos/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <queue>

namespace berth {
namespace {

// How tasks of a class are: lognormal in size and duration, by median and spread of the logarithm.
struct ClassShape {
  double share;  // Of requests.
  double median_s;
  double spread;
  double cpu;
  double memory;
};
constexpr std::array<ClassShape, 3> kClasses = {{{0.02, 43'000, 1.2, 0.085, 0.068},
                                                 {0.38, 3'650, 1.6, 0.050, 0.044},
                                                 {0.60, 1'300, 1.5, 0.037, 0.030}}};
constexpr double kDurationMaxS = 10 * 86'400.0;
constexpr double kRhythm = 0.04;  // How far a day's rate swings about its mean.
// Bursts of bronze jobs, so far apart on average, and how small one is beside the largest at least.
constexpr double kBurstsApartS = 4 * 3'600.0;
constexpr double kBurstLeast = 0.2;
constexpr double kBurstJobsApartS = 3;

struct HostShape {
  double share;
  double cpu;
  double memory;
};
// About Google's of 2011.
constexpr std::array<HostShape, 6> kHosts = {{{0.53, 0.5, 0.5},
                                              {0.31, 0.5, 0.25},
                                              {0.08, 0.5, 0.75},
                                              {0.063, 1.0, 1.0},
                                              {0.01, 0.25, 0.25},
                                              {0.007, 0.5, 0.12}}};

std::int64_t Parts(double share) {
  return std::max<std::int64_t>(1, std::llround(share * 1000) * (kQosShareParts / 1000));
}

class Generated final : public QosWorkload {
 public:
  explicit Generated(const QosWorkloadShape& shape)
      : shape_(shape), rng_(Rng(shape.seed).Fork("qos workload")) {
    for (std::size_t i = 0; i < kClasses.size(); ++i) class_shares_[i] = kClasses[i].share;
    length_s_ = static_cast<double>(shape.length.count()) / 1e6;
    next_burst_s_ = rng_.Exponential(kBurstsApartS);
    next_job_s_ = NextArrival(0);
  }

  Result<std::optional<QosRequest>> Next() override {
    if (given_ == shape_.requests) return std::optional<QosRequest>();
    while (tasks_left_ == 0) NextJob();
    --tasks_left_;
    QosRequest request = job_;
    request.task = ++given_;
    request.duration = DrawDuration(request.klass);
    return std::optional(std::move(request));
  }

 private:
  static constexpr double kTasksMean = 4.5;

  // Beside bursts, at the rate that brings all requests until the end.
  double NextArrival(double after_s) {
    const double time_left = std::max(1.0, length_s_ - after_s);
    const double in_bursts = static_cast<double>(shape_.requests) * time_left / kBurstsApartS *
                             shape_.burst_share_most * (1 + kBurstLeast) / 2;
    const double left = static_cast<double>(shape_.requests - given_ - burst_left_) - in_bursts;
    const double rate = std::max(1.0, left) / kTasksMean / time_left;
    const double rhythm = 1 + kRhythm * std::sin(after_s / 86'400 * 2 * std::numbers::pi);
    return after_s + rng_.Exponential(1 / rate) / rhythm;
  }

  void NextJob() {
    job_ = {};
    job_.job = ++jobs_;
    if (burst_left_ == 0 && next_burst_s_ <= next_job_s_) BeginBurst();
    const bool of_burst = burst_left_ > 0 && next_burst_job_s_ <= next_job_s_;
    const double at_s = std::min(of_burst ? next_burst_job_s_ : next_job_s_, length_s_);
    job_.at = Time(std::chrono::seconds(static_cast<std::int64_t>(at_s)));
    if (of_burst) {
      job_.klass = 2;
      tasks_left_ = std::min<std::uint64_t>(burst_left_, 100 + rng_.Below(400));
      burst_left_ -= tasks_left_;
      next_burst_job_s_ += rng_.Exponential(kBurstJobsApartS);
    } else {
      job_.klass = static_cast<std::uint32_t>(rng_.Weighted(class_shares_));
      tasks_left_ = DrawTasks();
      next_job_s_ = NextArrival(next_job_s_);
    }
    DescribeJob();
  }

  void DescribeJob() {
    const ClassShape& klass = kClasses[job_.klass];
    job_.demand[Resource::kCpu] = Parts(std::min(0.25, klass.cpu * std::exp(0.7 * rng_.Normal())));
    job_.demand[Resource::kMemory] =
        Parts(std::min(0.12, klass.memory * std::exp(0.7 * rng_.Normal())));
    job_.apart = job_.klass < 2 && tasks_left_ > 1 && rng_.Below(20) == 0;
    if (rng_.Below(16) == 0) job_.constraints = {{"arch", rng_.Below(2) == 0 ? "a" : "b"}};
    if (rng_.Below(32) == 0) job_.constraints.emplace_back("kernel", std::to_string(rng_.Below(3)));
  }

  void BeginBurst() {
    const double share = shape_.burst_share_most * (kBurstLeast + (1 - kBurstLeast) * rng_.Unit());
    burst_left_ = std::min(static_cast<std::uint64_t>(share * static_cast<double>(shape_.requests)),
                           shape_.requests - given_);
    next_burst_job_s_ = next_burst_s_;
    next_burst_s_ += rng_.Exponential(kBurstsApartS);
  }

  // Most jobs have one task, a few many: the mean is kTasksMean.
  std::uint64_t DrawTasks() {
    const std::uint64_t draw = rng_.Below(100);
    if (draw < 70) return 1;
    return draw < 95 ? 2 + rng_.Below(12) : 2 + rng_.Below(77);
  }

  Duration DrawDuration(std::uint32_t klass) {
    const double seconds =
        kClasses[klass].median_s * std::exp(kClasses[klass].spread * rng_.Normal());
    return std::chrono::seconds(std::llround(std::clamp(seconds, 10.0, kDurationMaxS)));
  }

  QosWorkloadShape shape_;
  Rng rng_;
  std::array<double, kClasses.size()> class_shares_{};
  double length_s_ = 0;
  double next_job_s_ = 0;
  double next_burst_s_ = 0;
  double next_burst_job_s_ = 0;
  std::uint64_t burst_left_ = 0;  // Tasks that are still to come.
  std::uint64_t given_ = 0;
  std::uint64_t jobs_ = 0;
  std::uint64_t tasks_left_ = 0;
  QosRequest job_;
};

}  // namespace

std::unique_ptr<QosWorkload> GenerateQosWorkload(const QosWorkloadShape& shape) {
  return std::make_unique<Generated>(shape);
}

Result<Resources> PeakDemand(QosWorkload& workload) {
  struct Running {
    Time until;
    std::int64_t cpu;
    std::int64_t memory;
    bool operator<(const Running& other) const { return until > other.until; }
  };
  std::priority_queue<Running> running;
  Resources used;
  Resources peak;
  for (;;) {
    BERTH_TRY(const std::optional<QosRequest> request, workload.Next());
    if (!request) return peak;
    for (; !running.empty() && running.top().until <= request->at; running.pop()) {
      used[Resource::kCpu] -= running.top().cpu;
      used[Resource::kMemory] -= running.top().memory;
    }
    used += request->demand;
    running.push({request->at + request->duration, request->demand[Resource::kCpu],
                  request->demand[Resource::kMemory]});
    for (const Resource r : {Resource::kCpu, Resource::kMemory})
      peak[r] = std::max(peak[r], used[r]);
  }
}

std::vector<QosHost> GenerateQosHosts(const Resources& peak, std::int64_t share_percent, Rng rng) {
  const Resource larger =
      peak[Resource::kCpu] >= peak[Resource::kMemory] ? Resource::kCpu : Resource::kMemory;
  const std::int64_t wanted = peak[larger] / 100 * share_percent;
  std::array<double, kHosts.size()> shares{};
  for (std::size_t i = 0; i < kHosts.size(); ++i) shares[i] = kHosts[i].share;
  std::vector<QosHost> hosts;
  for (std::int64_t have = 0; have < wanted; have += hosts.back().capacity[larger]) {
    const HostShape& shape = kHosts[rng.Weighted(shares)];
    QosHost host{.name = fmt::format("h{}", hosts.size()), .capacity = {}, .attributes = {}};
    host.capacity[Resource::kCpu] = Parts(shape.cpu);
    host.capacity[Resource::kMemory] = Parts(shape.memory);
    host.attributes = {{"arch", rng.Below(3) == 0 ? "b" : "a"},
                       {"kernel", std::to_string(rng.Below(3))}};
    hosts.push_back(std::move(host));
  }
  return hosts;
}

}  // namespace berth
