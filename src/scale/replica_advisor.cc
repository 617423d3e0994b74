#include "scale/replica_advisor.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/wire.h"
#include "berth/check.h"

namespace berth {

Result<ReplicaAdvisor> ReplicaAdvisor::Make(const ServiceScaling& scaling) {
  BERTH_TRY(const ScalerEntry entry, FindScaler(scaling.scaler));
  BERTH_TRY(std::unique_ptr<Scaler> scaler, entry.make(scaling.basis));
  if (entry.Is(kSmoothsItself)) return ReplicaAdvisor(scaling, std::move(scaler));
  return Around(std::move(scaler), scaling);
}

ReplicaAdvisor ReplicaAdvisor::Around(std::unique_ptr<Scaler> scaler,
                                      const ServiceScaling& scaling) {
  ReplicaAdvisor advisor(scaling, std::move(scaler));
  for (const SmootherEntry& smoother : Smoothers()) {
    if (auto made = smoother.make(scaling.smoothing)) advisor.smoothers_.push_back(std::move(made));
  }
  return advisor;
}

ReplicaAdvisor::ReplicaAdvisor(const ServiceScaling& scaling, std::unique_ptr<Scaler> scaler)
    : min_(scaling.min), max_(scaling.max), scaler_(std::move(scaler)) {}

void ReplicaAdvisor::Observe(const ReplicaLoad& load) {
  scaler_->Observe(load);
  if (!scaler_->AnswersLater()) Advise(load);
}

void ReplicaAdvisor::Advise(const ReplicaLoad& load) {
  const std::optional<std::uint32_t> raw = scaler_->Recommend();
  if (!raw) return;
  CountAdvice advice{.count = *raw, .why = scaler_->Why()};
  for (const std::unique_ptr<Smoother>& smoother : smoothers_) {
    const std::uint32_t smoothed = smoother->Smooth({.at = load.at,
                                                     .wanted = advice.count,
                                                     .replicas = load.replicas,
                                                     .starting = load.starting});
    if (smoothed != advice.count) {
      advice.why += fmt::format("; {} {}", smoothed, smoother->Note());
    }
    advice.count = smoothed;
  }
  const std::uint32_t bounded = std::clamp(advice.count, min_, max_);
  if (bounded > advice.count) advice.why += fmt::format("; raised to its least, {}", min_);
  if (bounded < advice.count) {
    advice.why += fmt::format("; cut to its most, {}: its load may be too much for them", max_);
  }
  advice.count = bounded;
  advice_ = std::move(advice);
}

std::string ReplicaAdvisor::Save() const {
  std::string bytes;
  WireWriter writer(bytes);
  writer.PutText(1, scaler_->Save());
  for (const std::unique_ptr<Smoother>& smoother : smoothers_) {
    const std::string state = smoother->Save();
    writer.PutMessage(2, [&](WireWriter& inner) { inner.PutText(1, state); });
  }
  return bytes;
}

Status ReplicaAdvisor::Restore(std::string_view bytes) {
  std::string_view scaler;
  std::vector<std::string_view> smoothers;
  WireReader reader(bytes);
  while (reader.Next()) {
    if (reader.field() == 1) scaler = reader.Text();
    if (reader.field() != 2) continue;
    WireReader inner = reader.Message();
    std::string_view state;
    while (inner.Next()) {
      if (inner.field() == 1) state = inner.Text();
    }
    BERTH_RETURN_IF_ERROR(inner.status());
    smoothers.push_back(state);
  }
  BERTH_RETURN_IF_ERROR(reader.status());
  if (smoothers.size() != smoothers_.size()) {
    return {Code::kInvalidArgument, "this is the state of another scaler, or of other smoothing"};
  }
  // Whole or not at all: what was restored already is put back if a later part is refused.
  const std::string scaler_before = scaler_->Save();
  std::vector<std::string> before;
  before.reserve(smoothers_.size());
  Status status = scaler_->Restore(scaler);
  while (status.ok() && before.size() < smoothers_.size()) {
    const std::size_t next = before.size();
    before.push_back(smoothers_[next]->Save());
    status = smoothers_[next]->Restore(smoothers[next]);
  }
  if (status.ok()) {
    advice_.reset();
    return status;
  }
  BERTH_CHECK(scaler_->Restore(scaler_before).ok());
  for (std::size_t i = 0; i < before.size(); ++i) {
    BERTH_CHECK(smoothers_[i]->Restore(before[i]).ok());
  }
  return status;
}

}  // namespace berth
