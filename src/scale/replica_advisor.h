// How many replicas one service should have now: what its scaler says, smoothed and within its
// bounds, and why.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scale/scaling_settings.h"

namespace berth {

struct CountAdvice {
  std::uint32_t count = 0;
  std::string why{};  // "14: the most of ...; slowed: ...".

  friend bool operator==(const CountAdvice&, const CountAdvice&) = default;
};

class ReplicaAdvisor {
 public:
  static Result<ReplicaAdvisor> Make(const ServiceScaling& scaling);
  // With a scaler of one's own, such as a program, which the smoothers and bounds apply to as well.
  static ReplicaAdvisor Around(std::unique_ptr<Scaler> scaler, const ServiceScaling& scaling);

  // In order of time.
  void Observe(const ReplicaLoad& load);
  // By what the scaler says now of the load that it was told of last. Observe does so itself, but
  // where the scaler answers later.
  void Advise(const ReplicaLoad& load);
  // None before the scaler knows anything.
  const std::optional<CountAdvice>& advice() const { return advice_; }
  // What it needs to be told of.
  std::vector<std::string> Metrics() const { return scaler_->Metrics(); }
  bool WantsMetric(std::string_view metric) const { return scaler_->WantsMetric(metric); }

  // As of a Scaler; after Restore there is advice again with the next load.
  std::string Save() const;
  Status Restore(std::string_view bytes);

 private:
  ReplicaAdvisor(const ServiceScaling& scaling, std::unique_ptr<Scaler> scaler);

  std::uint32_t min_;
  std::uint32_t max_;
  std::unique_ptr<Scaler> scaler_;
  std::vector<std::unique_ptr<Smoother>> smoothers_;
  std::optional<CountAdvice> advice_;
};

}  // namespace berth
