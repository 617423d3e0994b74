// Who says how many replicas a service should have. One object a service: told of its load as it
// comes, asked whenever somebody wants to know. It has no clock and no bounds of its own: least and
// most, and what keeps a count from changing too fast, are applied by replica_advisor.h.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/status.h"
#include "berth/time.h"

namespace berth {

inline constexpr std::uint32_t kReplicasMax = 100'000;

struct NamedMetric {
  std::string_view name;
  double value = 0;  // Finite.
};

// A service at a moment.
struct ReplicaLoad {
  Time at;
  std::uint32_t replicas = 0;    // That it is to have;
  std::uint32_t starting = 0;    // of them do not answer yet,
  std::uint32_t unmeasured = 0;  // and answer, but nobody knows what they use.
  double cpu_milli = 0;          // Of all the others together.
  std::span<const NamedMetric> metrics = {};

  // Whose cpu that is.
  std::uint32_t measured() const { return replicas - starting - unmeasured; }
};

enum class LoadStatistic : std::uint8_t { kMax, kP95 };

// What a scaler goes by. Each reads what it needs.
struct ScalerBasis {
  double target = 0.6;                  // Utilisation, as a share
  std::int64_t reference_milli = 1000;  // of so much cpu a replica, whatever its limit is now.
  Duration window = std::chrono::minutes(5);
  Duration horizon = std::chrono::hours(72);
  LoadStatistic statistic = LoadStatistic::kMax;
  std::string expression{};    // Over named metrics.
  std::uint32_t replicas = 1;  // As its owner asked for.
};

class Scaler {
 public:
  virtual ~Scaler() = default;
  // In order of time.
  virtual void Observe(const ReplicaLoad& load) = 0;
  // Whether what it makes of a load is known some time after Observe, and somebody is told then.
  virtual bool AnswersLater() const { return false; }
  // None before it knows anything; at most kReplicasMax.
  virtual std::optional<std::uint32_t> Recommend() const = 0;
  // What the count comes from, in one sentence; empty where there is none.
  virtual std::string Why() const = 0;
  // The metrics that it needs to be told of,
  virtual std::vector<std::string> Metrics() const { return {}; }
  // and whether it has a use for one.
  virtual bool WantsMetric(std::string_view metric) const;
  // What it knows, as bytes: one made alike and restored from them goes on as this one would. Bytes
  // that are no such state are an error, and change nothing.
  virtual std::string Save() const = 0;
  virtual Status Restore(std::string_view bytes) = 0;
};

enum ScalerTrait : std::uint8_t {
  kNoTrait = 0,
  kFollowsCpu = 1,     // The count depends on how much of a replica's cpu is used.
  kSmoothsItself = 2,  // What the smoothers do is part of it.
};

struct ScalerEntry {
  std::string_view name;
  std::string_view summary;
  std::uint8_t traits = kNoTrait;
  Result<std::unique_ptr<Scaler>> (*make)(const ScalerBasis& basis);

  bool Is(ScalerTrait trait) const { return (traits & trait) != 0; }
};
// In the order of scalers.def.
std::span<const ScalerEntry> Scalers();
Result<ScalerEntry> FindScaler(std::string_view name);

// Of all that answer: who is not measured uses as much as the others, of whom there must be one.
double CpuOfAll(const ReplicaLoad& load);

// As many whole replicas as it takes: rounded up, but for a millionth, which is rounding itself.
std::uint32_t WholeReplicas(double replicas);

}  // namespace berth
