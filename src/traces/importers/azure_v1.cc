// VM arrivals of the Azure 2017 trace as CSV: arrival_s,batch,vcpu,mem_gb and, in one of its files,
// life_lo_s,life_hi_s,censored. Times are in bins of five minutes.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "berth/change.h"
#include "berth/rng.h"
#include "traces/azure_v1_rows.h"
#include "traces/importers/builtin.h"
#include "traces/seconds.h"

namespace berth {
namespace {

constexpr Duration kBin = std::chrono::minutes(5);
constexpr std::size_t kBinRowsMax = 200'000;  // Rows of one bin are held in memory.
constexpr std::size_t kAzureTypesMax = 10'000;
constexpr std::string_view kAzureClass = "gold";  // The trace has none. Placed at once or refused.

// What a first reading of the whole file finds.
struct Survey {
  std::map<AzureV1Size, InstanceType> types;
  Duration first_arrival{};
  std::uint64_t vms = 0;
  std::uint64_t batches = 0;
  std::uint64_t censored = 0;
  bool has_lifetimes = false;
  std::string ignored_columns;
};

Result<Survey> ReadSurvey(const TraceSource& source) {
  BERTH_TRY(LineReader lines, source.Open());
  BERTH_TRY(AzureV1Rows rows, AzureV1Rows::Open(std::move(lines)));
  Survey survey;
  survey.ignored_columns = rows.ignored_columns();
  survey.has_lifetimes = rows.has_lifetimes();
  std::optional<std::int64_t> last_batch;
  for (;;) {
    BERTH_TRY(const std::optional<AzureV1Row> row, rows.Next());
    if (!row) return survey;
    if (survey.vms++ == 0) survey.first_arrival = row->arrival;
    if (row->batch != last_batch) ++survey.batches;
    last_batch = row->batch;
    if (row->lifetime && row->lifetime->censored) ++survey.censored;
    if (survey.types.contains(row->size)) continue;
    if (survey.types.size() == kAzureTypesMax) {
      return rows.Error(fmt::format("over {} sizes; is this the right file?", kAzureTypesMax));
    }
    survey.types.emplace(row->size, TypeOf(row->size));
  }
}

class AzureV1Trace final : public Trace {
 public:
  AzureV1Trace(AzureV1Rows rows, Survey survey, const TraceOptions& options)
      : rows_(std::move(rows)),
        survey_(std::move(survey)),
        as_gang_(options.batch_as_gang),
        arrival_times_(Rng(options.seed).Fork("azure_v1 arrival times")),
        lifetimes_(Rng(options.seed).Fork("azure_v1 lifetimes")) {}

  Result<std::optional<Arrival>> Next() override {
    if (next_ == arrivals_.size()) BERTH_RETURN_IF_ERROR(ReadBin());
    if (next_ == arrivals_.size()) return std::optional<Arrival>();
    return std::optional(std::move(arrivals_[next_++]));
  }

  std::vector<InstanceType> Types() const override {
    std::vector<InstanceType> types;
    for (const auto& [size, type] : survey_.types) types.push_back(type);
    return types;
  }

  TraceNotes Notes() const override;

 private:
  // Fills arrivals_ with what arrives in the next bin; with nothing at the end.
  Status ReadBin() {
    arrivals_.clear();
    next_ = 0;
    if (!ahead_) {
      BERTH_TRY(ahead_, rows_.Next());
    }
    if (!ahead_) return {};
    const Duration bin = ahead_->arrival;
    std::size_t rows = 0;
    while (ahead_ && ahead_->arrival == bin) {
      if (++rows > kBinRowsMax) {
        return rows_.Error(fmt::format("over {} rows arrive at {}; is arrival_s in seconds?",
                                       kBinRowsMax, FormatSeconds(bin)));
      }
      BERTH_RETURN_IF_ERROR(Add(*ahead_));
      BERTH_TRY(ahead_, rows_.Next());
    }
    Spread(bin, ahead_ ? std::min(kBin, ahead_->arrival - bin) : kBin);
    return {};
  }

  Status Add(const AzureV1Row& row) {
    const auto type = survey_.types.find(row.size);
    if (type == survey_.types.end()) {
      return rows_.Error("the file changed while it was read; start again");
    }
    const std::optional<Duration> lifetime = DrawLifetime(row);
    number_in_batch_ = row.batch == batch_ ? number_in_batch_ + 1 : 0;
    batch_ = row.batch;
    if (as_gang_ && number_in_batch_ > 0) {
      return AddToGang(arrivals_.back(), type->second.name, lifetime);
    }
    Arrival& arrival = arrivals_.emplace_back();
    arrival.lifetime = lifetime;
    Service& service = arrival.service;
    const std::string tenant = fmt::format("batch-{}", row.batch);
    service.tenant = TenantId(tenant);
    service.name = as_gang_ ? tenant : fmt::format("{}-{}", tenant, number_in_batch_);
    service.klass = ClassId(kAzureClass);
    service.groups.push_back({.type = type->second.name, .role = {}, .count = 1});
    return {};
  }

  Status AddToGang(Arrival& gang, TypeId type, std::optional<Duration> lifetime) {
    Service& service = gang.service;
    if (service.InstanceCount() == kGangMax) {
      return rows_.BatchError(
          fmt::format("{} has over {} VMs, too many to place whole; place them singly",
                      service.name, kGangMax));
    }
    const auto group = std::ranges::find(service.groups, type, &InstanceGroup::type);
    if (group != service.groups.end()) {
      ++group->count;
    } else {
      service.groups.push_back({.type = type, .role = {}, .count = 1});
    }
    gang.lifetime = gang.lifetime && lifetime ? std::optional(std::max(*gang.lifetime, *lifetime))
                                              : std::nullopt;
    return {};
  }

  // Each row has a stream of its own: leaving out a row changes no other's lifetime but by its
  // number.
  std::optional<Duration> DrawLifetime(const AzureV1Row& row) const {
    if (!row.lifetime || row.lifetime->censored) return std::nullopt;
    Duration low = row.lifetime->low;
    Duration high = row.lifetime->high;
    if (high == Duration(0)) {  // Created and gone within one bin.
      low = Duration(1);
      high = kBin - Duration(1);
    }
    Rng rng = lifetimes_.Fork(row.number);
    return low + Duration(static_cast<std::int64_t>(
                     rng.Below(static_cast<std::uint64_t>((high - low).count()) + 1)));
  }

  // Gives the bin's arrivals, in their order, times that are uniform over its width.
  void Spread(Duration bin, Duration width) {
    Rng rng = arrival_times_.Fork(static_cast<std::uint64_t>(bin.count()));
    std::vector<std::int64_t> offsets(arrivals_.size());
    for (std::int64_t& offset : offsets) {
      offset = static_cast<std::int64_t>(rng.Below(static_cast<std::uint64_t>(width.count())));
    }
    std::ranges::sort(offsets);
    for (std::size_t i = 0; i < arrivals_.size(); ++i) {
      arrivals_[i].at = Time(bin - survey_.first_arrival + Duration(offsets[i]));
    }
  }

  AzureV1Rows rows_;
  Survey survey_;
  bool as_gang_;
  Rng arrival_times_;
  Rng lifetimes_;
  std::optional<AzureV1Row> ahead_;
  std::optional<std::int64_t> batch_;
  std::uint64_t number_in_batch_ = 0;
  std::vector<Arrival> arrivals_;  // Of one bin.
  std::size_t next_ = 0;
};

TraceNotes AzureV1Trace::Notes() const {
  const auto count = [](std::uint64_t n) { return FormatCount(static_cast<std::int64_t>(n)); };
  TraceNotes notes;
  notes.lines.push_back(fmt::format("{} VMs of {} sizes in {} batches", count(survey_.vms),
                                    survey_.types.size(), count(survey_.batches)));
  if (!survey_.ignored_columns.empty()) notes.lines.push_back(survey_.ignored_columns);
  notes.lines.push_back("vcpu is cores; mem_gb is taken as GiB; needs are rounded up");
  notes.lines.push_back(
      as_gang_ ? "a batch is a tenant with one service, placed whole, which stays as long as the "
                 "longest of its VMs"
               : "a batch is a tenant; its VMs are services of one instance each");
  notes.lines.push_back(fmt::format("the class is {}; there are no constraints", kAzureClass));
  notes.lines.push_back(
      fmt::format("time starts at arrival_s {}; arrivals are spread evenly at random over their "
                  "bin of 300 s, in their order",
                  FormatSeconds(survey_.first_arrival)));
  notes.lines.push_back("what ran before the trace is absent: the fleet starts empty");
  if (!survey_.has_lifetimes) {
    notes.lines.push_back("the file has no lifetimes: every VM stays to the trace's end");
    return notes;
  }
  notes.lines.push_back(
      "lifetimes are drawn evenly from life_lo_s to life_hi_s; 0 means less than a bin");
  notes.lines.push_back(
      fmt::format("{} censored VMs, known to last at least life_lo_s, stay to the trace's end",
                  count(survey_.censored)));
  return notes;
}

}  // namespace

Result<std::unique_ptr<Trace>> NewAzureV1Trace(const TraceSource& source,
                                               const TraceOptions& options) {
  if (source.is_standard_input()) {
    return Status(
        Code::kInvalidArgument,
        "standard input: azure_v1 reads its file twice, first for the sizes; give a file");
  }
  BERTH_TRY(Survey survey, ReadSurvey(source));
  BERTH_TRY(LineReader lines, source.Open());
  BERTH_TRY(AzureV1Rows rows, AzureV1Rows::Open(std::move(lines)));
  return std::unique_ptr<Trace>(
      std::make_unique<AzureV1Trace>(std::move(rows), std::move(survey), options));
}

}  // namespace berth
