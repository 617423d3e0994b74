// Who says how large the instances of a service should be. One object for each service and
// resource: told of every five minutes, asked whenever somebody wants to know. It has no clock and
// no limits of its own: bounds, quota and the size of machines are applied by whoever asks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "berth/resources.h"
#include "berth/status.h"
#include "berth/time.h"
#include "usage/window_histogram.h"

namespace berth {

// How much a service minds to be slowed down, or to be killed for want of memory.
enum class CpuKind : std::uint8_t { kBatch, kServing, kLatencySensitive };
enum class OomTolerance : std::uint8_t { kMinimal, kLow, kIntermediate };

struct Sized {
  Resource resource = Resource::kCpu;
  CpuKind cpu = CpuKind::kServing;
  OomTolerance oom = OomTolerance::kLow;
  std::int64_t request = 0;  // What its owner asked for.
  std::string service{};     // Whose it is, for recommenders that are programs of their own.

  friend bool operator==(const Sized&, const Sized&) = default;
};

// Five minutes of all instances of a service. Of memory, the peak of each instance only.
struct UsageWindow {
  Time end;
  std::span<const float> samples;    // As they came; of very many some, the highest among them;
  const WindowHistogram& histogram;  // and all of them, counted.
};

// In the resource's unit. Within lower and upper a limit need not be changed.
struct SizeAdvice {
  std::int64_t target = 0;
  std::int64_t lower = 0;
  std::int64_t upper = 0;

  friend bool operator==(const SizeAdvice&, const SizeAdvice&) = default;
};

class Recommender {
 public:
  virtual ~Recommender() = default;
  // In order; what had no sample is left out.
  virtual void Observe(const UsageWindow& window) = 0;
  // An instance was killed for want of memory when it took so much, or wanted to.
  virtual void ObserveOom(std::int64_t used, Time at) = 0;
  // None before the first window.
  virtual std::optional<SizeAdvice> Recommend() const = 0;
  // What the target comes from, in one sentence; empty before the first window.
  virtual std::string Why() const = 0;
  // What it knows, as bytes of a few kilobytes: one made alike and restored from them goes on as
  // this one would. Bytes that are no such state are an error, and change nothing.
  virtual std::string Save() const = 0;
  virtual Status Restore(std::string_view bytes) = 0;
};

struct RecommenderEntry {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<Recommender> (*make)(const Sized& sized);
};
// In the order of recommenders.def.
std::span<const RecommenderEntry> Recommenders();
Result<RecommenderEntry> FindRecommender(std::string_view name);

}  // namespace berth
