// What Kubernetes' Horizontal Pod Autoscaler does, from its published algorithm and with its
// defaults: cpu now against a target utilisation, changes of a tenth ignored; who is not measured
// counts as using nothing when there should be more replicas, and all it asked for when there
// should be fewer; fewer only once none of the last five minutes wanted more; and in any 15 seconds
// at most twice as many, or four more. (Its limit on how fast replicas go, all of them in 15
// seconds, limits nothing.)
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <utility>

#include "base/packed.h"
#include "base/wire.h"
#include "scale/scalers/builtin.h"

namespace berth {
namespace {

constexpr double kHpaTolerance = 0.1;
constexpr Duration kHpaStabilisation = std::chrono::seconds(300);
constexpr Duration kHpaPeriod = std::chrono::seconds(15);
constexpr std::uint32_t kHpaPodsAPeriod = 4;

class Hpa final : public Scaler {
 public:
  explicit Hpa(const ScalerBasis& basis) : basis_(basis) {}

  void Observe(const ReplicaLoad& load) override {
    NoteGrowth(load);
    if (load.measured() == 0) return;
    Stabilise(load.at, Wanted(load));
    const std::uint32_t kept =
        std::clamp(load.replicas, wanted_.back().count, wanted_.front().count);
    count_ = std::min(kept, GrowthLimit(load.replicas));
    utilisation_ = Utilisation(load.cpu_milli, load.measured());
  }

  std::optional<std::uint32_t> Recommend() const override { return count_; }
  std::string Why() const override {
    if (!count_) return {};
    return fmt::format("{}: {:.0f}% of cpu used, {:.0f}% aimed at, {} wanted", *count_,
                       100 * utilisation_, 100 * basis_.target, wanted_.back().count);
  }

  std::string Save() const override {
    std::string bytes;
    WireWriter writer(bytes);
    writer.PutUint(1, count_ ? *count_ + 1 : 0);
    writer.PutUint(2, replicas_ ? *replicas_ + 1 : 0);
    writer.PutFixed(3, BitsOf(utilisation_));
    PutCounts(writer, 4, wanted_);
    PutCounts(writer, 5, grown_);
    writer.PutInt(6, ToMicros(seen_at_));
    return bytes;
  }
  Status Restore(std::string_view bytes) override {
    Hpa read(basis_);
    std::uint32_t count = 0;
    std::uint32_t replicas = 0;
    WireReader reader(bytes);
    while (reader.Next()) {
      const std::uint32_t field = reader.field();
      if (field == 1) count = reader.Uint<std::uint32_t>();
      if (field == 2) replicas = reader.Uint<std::uint32_t>();
      if (field == 3) read.utilisation_ = FromBits(reader.Fixed());
      if (field == 6) read.seen_at_ = TimeFromMicros(reader.Int());
      if (field != 4 && field != 5) continue;
      BERTH_TRY(const CountAt read_count, ReadCount(reader.Message()));
      (field == 4 ? read.wanted_ : read.grown_).push_back(read_count);
    }
    BERTH_RETURN_IF_ERROR(reader.status());
    if (count > kReplicasMax + 1 || replicas > kReplicasMax + 1 ||
        (count > 0 && read.wanted_.empty()) || !std::isfinite(read.utilisation_) ||
        !std::ranges::is_sorted(read.wanted_, std::ranges::greater(), &CountAt::count)) {
      return {Code::kInvalidArgument, "this is no state of an HPA"};
    }
    if (count > 0) read.count_ = count - 1;
    if (replicas > 0) read.replicas_ = replicas - 1;
    *this = std::move(read);
    return {};
  }

 private:
  struct CountAt {
    Time at;
    std::uint32_t count = 0;
  };

  static void PutCounts(WireWriter& writer, std::uint32_t field, const std::deque<CountAt>& list) {
    for (const CountAt& each : list) {
      writer.PutMessage(field, [&](WireWriter& inner) {
        inner.PutInt(1, ToMicros(each.at));
        inner.PutUint(2, each.count);
      });
    }
  }
  static Result<CountAt> ReadCount(WireReader reader) {
    CountAt read;
    while (reader.Next()) {
      if (reader.field() == 1) read.at = TimeFromMicros(reader.Int());
      if (reader.field() == 2) read.count = reader.Uint<std::uint32_t>();
    }
    BERTH_RETURN_IF_ERROR(reader.status());
    if (read.count <= kReplicasMax) return read;
    return Status(Code::kInvalidArgument, "this is no state of an HPA");
  }

  double Utilisation(double cpu_milli, std::uint32_t replicas) const {
    return cpu_milli / (static_cast<double>(basis_.reference_milli) * replicas);
  }
  static bool IsNear(double ratio) {
    constexpr double kRounding = 1e-9;
    return std::abs(1 - ratio) <= kHpaTolerance + kRounding;
  }

  std::uint32_t Wanted(const ReplicaLoad& load) const {
    const double ratio = Utilisation(load.cpu_milli, load.measured()) / basis_.target;
    const bool more_while_starting = load.starting > 0 && ratio > 1;
    if (!more_while_starting && load.unmeasured == 0) {
      return IsNear(ratio) ? load.replicas : WholeReplicas(ratio * load.measured());
    }
    std::uint32_t counted = load.measured();
    double cpu = load.cpu_milli;
    if (ratio != 1) counted += load.unmeasured;
    if (ratio < 1) cpu += static_cast<double>(basis_.reference_milli) * load.unmeasured;
    if (more_while_starting) counted += load.starting;
    const double careful = Utilisation(cpu, counted) / basis_.target;
    const bool turned = (ratio < 1 && careful > 1) || (ratio > 1 && careful < 1);
    if (IsNear(careful) || turned) return load.replicas;
    const std::uint32_t wanted = WholeReplicas(careful * counted);
    // Counting others than all replicas must not turn the direction either.
    const bool opposite = careful < 1 ? wanted > load.replicas : wanted < load.replicas;
    return opposite ? load.replicas : wanted;
  }

  // Keeps, of the last five minutes, the wanted counts that none after them reached.
  void Stabilise(Time at, std::uint32_t wanted) {
    while (!wanted_.empty() && wanted_.back().count <= wanted) wanted_.pop_back();
    wanted_.push_back({at, wanted});
    while (wanted_.front().at <= at - kHpaStabilisation) wanted_.pop_front();
  }

  void NoteGrowth(const ReplicaLoad& load) {
    // What there is more of now was added when it was last asked.
    if (replicas_ && load.replicas > *replicas_) {
      grown_.push_back({seen_at_, load.replicas - *replicas_});
    }
    replicas_ = load.replicas;
    seen_at_ = load.at;
    while (!grown_.empty() && grown_.front().at <= load.at - kHpaPeriod) grown_.pop_front();
  }
  std::uint32_t GrowthLimit(std::uint32_t replicas) const {
    std::uint32_t grown = 0;
    for (const CountAt& each : grown_) grown += std::min(each.count, kReplicasMax);
    const std::uint32_t before = replicas - std::min(replicas, grown);
    return std::max({replicas, 2 * before, before + kHpaPodsAPeriod});
  }

  ScalerBasis basis_;
  std::optional<std::uint32_t> count_;
  std::optional<std::uint32_t> replicas_;  // When it was told last,
  Time seen_at_;                           // which was then.
  double utilisation_ = 0;
  std::deque<CountAt> wanted_;  // Falling; the last is that of now.
  std::deque<CountAt> grown_;   // By how many, in the last period.
};

}  // namespace

Result<std::unique_ptr<Scaler>> NewHpa(const ScalerBasis& basis) {
  if (!(basis.target > 0) || basis.reference_milli < 1) {
    return Status(Code::kInvalidArgument, "target and reference must be more than 0");
  }
  return std::unique_ptr<Scaler>(std::make_unique<Hpa>(basis));
}

}  // namespace berth
