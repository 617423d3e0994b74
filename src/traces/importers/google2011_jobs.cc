// Jobs of Google's ClusterData 2011-2, one row each: submit_s,sched_s,end_s,end_type,class,user. In
// the order of time, without sizes.
#include <fmt/format.h>

#include <utility>

#include "base/csv.h"
#include "traces/imported_types.h"
#include "traces/importers/builtin.h"
#include "traces/row_values.h"
#include "traces/seconds.h"

namespace berth {
namespace {

// The trace says nothing of sizes: a small VM, such as fits any machine.
constexpr ImportedSize kAssumedSize{.cpu_milli = 1000, .memory_mib = 4096, .gpu_milli = 0};
constexpr std::int64_t kUserMax = 1'000'000;
constexpr std::int64_t kSchedulingClassMax = 3;

// Scheduling class 3 is the most sensitive to latency, 0 the least.
std::string_view ClassOfScheduling(std::int64_t scheduling_class) {
  if (scheduling_class == kSchedulingClassMax) return "gold";
  return scheduling_class == 0 ? "bronze" : "silver";
}

struct Columns {
  CsvColumn submit{};
  CsvColumn scheduled{};
  CsvColumn end{};
  CsvColumn scheduling_class{};
  CsvColumn user{};
};

Result<Columns> FindColumns(const CsvReader& csv) {
  Columns columns;
  BERTH_TRY(columns.submit, csv.Column("submit_s"));
  BERTH_TRY(columns.scheduled, csv.Column("sched_s"));
  BERTH_TRY(columns.end, csv.Column("end_s"));
  BERTH_TRY(columns.scheduling_class, csv.Column("class"));
  BERTH_TRY(columns.user, csv.Column("user"));
  return columns;
}

class Google2011Jobs final : public Trace {
 public:
  Google2011Jobs(CsvReader csv, const Columns& columns, std::vector<InstanceType> types)
      : csv_(std::move(csv)), columns_(columns), types_(std::move(types)) {}

  Result<std::optional<Arrival>> Next() override {
    BERTH_TRY(const bool more, csv_.Next());
    if (!more) return std::optional<Arrival>();
    BERTH_TRY(const Duration submit, ReadSubmit());
    Arrival arrival;
    arrival.at = Time(submit - *start_);
    BERTH_TRY(
        arrival.lifetime,
        LifetimeIn(csv_, {.began = columns_.scheduled, .ended = columns_.end}, submit, "job"));
    BERTH_TRY(const std::int64_t scheduling_class,
              IntegerIn(csv_, columns_.scheduling_class, {.min = 0, .max = kSchedulingClassMax}));
    BERTH_TRY(const std::int64_t user, IntegerIn(csv_, columns_.user, {.min = 0, .max = kUserMax}));
    Service& service = arrival.service;
    service.name = fmt::format("job-{}", rows_++);
    service.tenant = TenantId(fmt::format("user-{}", user));
    service.klass = ClassId(ClassOfScheduling(scheduling_class));
    service.groups.push_back({.type = types_.front().name,
                              .role = RoleId(fmt::format("class-{}", scheduling_class)),
                              .count = 1});
    return std::optional(std::move(arrival));
  }

  std::vector<InstanceType> Types() const override { return types_; }

  TraceNotes Notes() const override {
    TraceNotes notes;
    constexpr std::string_view kRead[] = {"submit_s", "sched_s", "end_s", "class", "user"};
    if (std::string ignored = IgnoredColumns(csv_, kRead); !ignored.empty()) {
      notes.lines.push_back(std::move(ignored));
    }
    notes.lines.push_back(fmt::format("there are no sizes: every job is one instance of {}",
                                      FormatResources(types_.front().size)));
    notes.lines.push_back("a user is a tenant; the scheduling class is the role");
    notes.lines.push_back("scheduling class 3 is gold, 2 and 1 silver, 0 bronze");
    notes.lines.push_back(
        "a job lasts from sched_s, or submit_s if it is empty, to end_s; without end_s it stays");
    notes.lines.push_back("an empty submit_s, before the trace, is time 0");
    return notes;
  }

 private:
  Result<Duration> ReadSubmit() {
    Duration submit{};
    if (!IsEmpty(csv_, columns_.submit)) {
      BERTH_TRY(submit, SecondsIn(csv_, columns_.submit));
    }
    if (!start_) start_ = submit;
    if (submit < last_) {
      return csv_.Error(columns_.submit, fmt::format("{} comes after {}; sort the rows by time",
                                                     FormatSeconds(submit), FormatSeconds(last_)));
    }
    last_ = submit;
    return submit;
  }

  CsvReader csv_;
  Columns columns_;
  std::vector<InstanceType> types_;
  std::optional<Duration> start_;
  Duration last_{};
  std::uint64_t rows_ = 0;
};

}  // namespace

Result<std::unique_ptr<Trace>> NewGoogle2011Jobs(const TraceSource& source, const TraceOptions&) {
  BERTH_TRY(LineReader lines, source.Open());
  BERTH_TRY(CsvReader csv, CsvReader::Open(std::move(lines)));
  BERTH_TRY(const Columns columns, FindColumns(csv));
  ImportedTypes types;
  BERTH_RETURN_IF_ERROR(types.Of(csv, kAssumedSize).status());
  return std::unique_ptr<Trace>(
      std::make_unique<Google2011Jobs>(std::move(csv), columns, types.All()));
}

}  // namespace berth
