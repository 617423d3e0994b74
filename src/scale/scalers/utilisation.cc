// Autopilot's (section 3.3): as many replicas as keep the cpu of all of them, the most or the 95th
// percentile of the last T, at the target utilisation. It goes by the sum over replicas, so a count
// that changes does not change it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <vector>

#include "base/packed.h"
#include "base/quantiles.h"
#include "base/text.h"
#include "base/wire.h"
#include "berth/resources.h"
#include "scale/scalers/builtin.h"

namespace berth {
namespace {

// A week of five minutes; what is kept of them is eight kilobytes.
constexpr std::int64_t kHorizonWindowsMax = 2016;
constexpr float kNoMean = std::numeric_limits<float>::quiet_NaN();

class Utilisation final : public Scaler {
 public:
  explicit Utilisation(const ScalerBasis& basis)
      : basis_(basis), windows_(std::max<std::int64_t>(1, basis.horizon / basis.window)) {}

  void Observe(const ReplicaLoad& load) override {
    if (load.measured() == 0) return;
    const double cpu = CpuOfAll(load);
    const std::int64_t window = load.at.time_since_epoch() / basis_.window;
    if (means_.empty() || window > last_) MoveTo(window);
    sum_ += cpu;
    ++count_;
    means_.back() = static_cast<float>(sum_ / static_cast<double>(count_));
  }

  std::optional<std::uint32_t> Recommend() const override {
    if (means_.empty()) return std::nullopt;
    return WholeReplicas(Used() / Aim());
  }

  std::string Why() const override {
    if (means_.empty()) return {};
    const auto cpu = [](double milli) {
      return FormatAmount(Resource::kCpu, static_cast<std::int64_t>(std::ceil(milli)));
    };
    return fmt::format("{}: {} of the last {} is {} of cpu, at {:.0f}% of {} a replica",
                       *Recommend(), basis_.statistic == LoadStatistic::kMax ? "the most" : "p95",
                       FormatDuration(basis_.horizon), cpu(Used()), 100 * basis_.target,
                       cpu(static_cast<double>(basis_.reference_milli)));
  }

  std::string Save() const override {
    std::string bytes;
    if (means_.empty()) return bytes;
    WireWriter writer(bytes);
    writer.PutInt(1, last_);
    writer.PutFixed(2, BitsOf(sum_));
    writer.PutUint(3, count_);
    const std::vector<float> means(means_.begin(), means_.end());
    writer.PutText(4, Packed(std::span(means)));
    return bytes;
  }
  Status Restore(std::string_view bytes) override {
    Utilisation read(basis_);
    WireReader reader(bytes);
    while (reader.Next()) {
      const std::uint32_t field = reader.field();
      if (field == 1) {
        read.last_ = reader.Int();
      } else if (field == 2) {
        read.sum_ = FromBits(reader.Fixed());
      } else if (field == 3) {
        read.count_ = reader.Uint();
      } else if (field == 4) {
        const std::vector<float> means = Unpacked<float>(reader.Text());
        read.means_.assign(means.begin(), means.end());
      }
    }
    BERTH_RETURN_IF_ERROR(reader.status());
    if (!read.IsSound()) {
      return {Code::kInvalidArgument, "this is no state of a count by utilisation"};
    }
    *this = std::move(read);
    return {};
  }

 private:
  // Windows of which nothing is known are kept as such, as long as they would be.
  void MoveTo(std::int64_t window) {
    const std::int64_t steps = means_.empty() ? 1 : std::min(window - last_, windows_);
    for (std::int64_t i = 0; i < steps; ++i) means_.push_back(kNoMean);
    while (std::ssize(means_) > windows_) means_.pop_front();
    last_ = window;
    sum_ = 0;
    count_ = 0;
  }
  double Used() const {
    std::vector<double> known;
    known.reserve(means_.size());
    for (const float mean : means_) {
      if (!std::isnan(mean)) known.push_back(mean);
    }
    return Quantile(std::move(known), basis_.statistic == LoadStatistic::kMax ? 1 : 0.95);
  }
  double Aim() const { return basis_.target * static_cast<double>(basis_.reference_milli); }
  bool IsSound() const {
    if (std::ssize(means_) > windows_ || !std::isfinite(sum_) || sum_ < 0) return false;
    if (means_.empty()) return count_ == 0;
    return count_ > 0 && !std::isnan(means_.back()) && std::ranges::all_of(means_, [](float mean) {
             return std::isnan(mean) || (std::isfinite(mean) && mean >= 0);
           });
  }

  ScalerBasis basis_;
  std::int64_t windows_;
  std::deque<float> means_;  // Up to the last window, which goes on. None: not known.
  std::int64_t last_ = 0;    // Its number since 1970.
  double sum_ = 0;           // Of its samples.
  std::uint64_t count_ = 0;
};

}  // namespace

Result<std::unique_ptr<Scaler>> NewUtilisation(const ScalerBasis& basis) {
  if (!(basis.target > 0) || basis.reference_milli < 1) {
    return Status(Code::kInvalidArgument, "target and reference must be more than 0");
  }
  if (basis.window < std::chrono::seconds(1) || basis.horizon < basis.window ||
      basis.horizon / basis.window > kHorizonWindowsMax) {
    return Status(
        Code::kInvalidArgument,
        fmt::format("horizon: one to {} windows of at least a second", kHorizonWindowsMax));
  }
  return std::unique_ptr<Scaler>(std::make_unique<Utilisation>(basis));
}

}  // namespace berth
