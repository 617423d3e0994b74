// Pods of Alibaba's cluster-trace-gpu-v2023: name,cpu_milli,memory_mib,num_gpu,gpu_milli and, in
// most of its files, gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time in seconds.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/csv.h"
#include "base/text.h"
#include "traces/held_trace.h"
#include "traces/imported_types.h"
#include "traces/importers/builtin.h"
#include "traces/row_values.h"
#include "traces/seconds.h"

namespace berth {
namespace {

constexpr std::string_view kTenant = "openb";  // The trace names no owner.
constexpr std::int64_t kCpuMilliMax = 10'000'000;
constexpr std::int64_t kMemoryMibMax = 1'000'000'000;
constexpr std::int64_t kGpusMax = 1000;
constexpr std::int64_t kGpuMilliMax = 1000;  // A whole one.
constexpr std::size_t kModelsMax = 32;

struct QosAndClass {
  std::string_view qos;
  std::string_view klass;
};
constexpr QosAndClass kQos[] = {
    {"LS", "gold"}, {"Guaranteed", "gold"}, {"Burstable", "silver"}, {"BE", "bronze"}};

struct TimeColumns {
  CsvColumn creation{};
  CsvColumn scheduled{};
  CsvColumn deletion{};
};

class PodReader {
 public:
  static Result<PodReader> Open(LineReader lines) {
    BERTH_TRY(CsvReader csv, CsvReader::Open(std::move(lines)));
    PodReader pods(std::move(csv));
    BERTH_RETURN_IF_ERROR(pods.FindColumns());
    return pods;
  }

  Result<std::vector<Arrival>> ReadAll() {
    std::vector<Arrival> arrivals;
    std::set<std::string, std::less<>> names;
    for (;;) {
      BERTH_TRY(const bool more, csv_.Next());
      if (!more) return arrivals;
      if (arrivals.size() == kHeldRowsMax) {
        return csv_.Error(fmt::format("over {} pods; cut the file in pieces", kHeldRowsMax));
      }
      BERTH_TRY(Arrival arrival, ReadPod(static_cast<std::int64_t>(arrivals.size())));
      if (!names.insert(arrival.service.name).second) {
        return csv_.Error(name_, fmt::format("{} is the name of an earlier pod; name one otherwise",
                                             Quoted(arrival.service.name)));
      }
      arrivals.push_back(std::move(arrival));
    }
  }

  const ImportedTypes& types() const { return types_; }
  TraceNotes Notes(std::size_t pods) const;

 private:
  explicit PodReader(CsvReader csv) : csv_(std::move(csv)) {}

  Status FindColumns() {
    BERTH_TRY(name_, csv_.Column("name"));
    BERTH_TRY(cpu_, csv_.Column("cpu_milli"));
    BERTH_TRY(memory_, csv_.Column("memory_mib"));
    BERTH_TRY(gpus_, csv_.Column("num_gpu"));
    BERTH_TRY(gpu_share_, csv_.Column("gpu_milli"));
    models_ = csv_.FindColumn("gpu_spec");
    qos_ = csv_.FindColumn("qos");
    if (csv_.FindColumn("creation_time") || csv_.FindColumn("deletion_time")) {
      TimeColumns times;
      BERTH_TRY(times.creation, csv_.Column("creation_time"));
      BERTH_TRY(times.scheduled, csv_.Column("scheduled_time"));
      BERTH_TRY(times.deletion, csv_.Column("deletion_time"));
      times_ = times;
    }
    return {};
  }

  Result<Arrival> ReadPod(std::int64_t number) {
    Arrival arrival;
    arrival.at = Time(number * kOrderOnlySpacing);
    if (times_) BERTH_RETURN_IF_ERROR(ReadTimes(*times_, arrival));
    Service& service = arrival.service;
    BERTH_TRY(service.name, NameIn(csv_, name_));
    service.tenant = TenantId(kTenant);
    BERTH_TRY(service.klass, ReadClass());
    BERTH_TRY(const TypeId type, ReadType());
    service.groups.push_back({.type = type, .role = {}, .count = 1});
    return arrival;
  }

  Status ReadTimes(const TimeColumns& times, Arrival& arrival) const {
    BERTH_TRY(const Duration creation, SecondsIn(csv_, times.creation));
    arrival.at = Time(creation);
    BERTH_TRY(
        arrival.lifetime,
        LifetimeIn(csv_, {.began = times.scheduled, .ended = times.deletion}, creation, "pod"));
    return {};
  }

  Result<ClassId> ReadClass() const {
    if (!qos_) return ClassId(kQos[0].klass);
    const std::string_view text = Trim(csv_.Text(*qos_));
    const auto* const known = std::ranges::find(kQos, text, &QosAndClass::qos);
    if (known != std::end(kQos)) return ClassId(known->klass);
    return csv_.Error(
        *qos_, fmt::format("{} is not known; write LS, Guaranteed, Burstable or BE", Quoted(text)));
  }

  Result<TypeId> ReadType() {
    ImportedSize size;
    BERTH_TRY(size.cpu_milli, IntegerIn(csv_, cpu_, {.min = 0, .max = kCpuMilliMax}));
    BERTH_TRY(size.memory_mib, IntegerIn(csv_, memory_, {.min = 0, .max = kMemoryMibMax}));
    BERTH_TRY(const std::int64_t gpus, IntegerIn(csv_, gpus_, {.min = 0, .max = kGpusMax}));
    BERTH_TRY(const std::int64_t share,
              IntegerIn(csv_, gpu_share_, {.min = 0, .max = kGpuMilliMax}));
    size.gpu_milli = gpus * share;
    BERTH_TRY(const std::vector<SkuId> models, ReadModels());
    return types_.Of(csv_, size, models);
  }

  // A model may be listed twice: the published files do so.
  Result<std::vector<SkuId>> ReadModels() const {
    std::vector<SkuId> models;
    if (!models_ || IsEmpty(csv_, *models_)) return models;
    for (const std::string_view model : Split(Trim(csv_.Text(*models_)), '|')) {
      if (!IsValidName(model) || models.size() == kModelsMax) {
        return csv_.Error(*models_,
                          fmt::format("{} is not a list of models; write up to {} names of "
                                      "letters, digits, '.', '_' and '-' with '|' between",
                                      Quoted(csv_.Text(*models_)), kModelsMax));
      }
      models.emplace_back(model);
    }
    std::ranges::sort(models);
    models.erase(std::unique(models.begin(), models.end()), models.end());
    return models;
  }

  CsvReader csv_;
  CsvColumn name_{};
  CsvColumn cpu_{};
  CsvColumn memory_{};
  CsvColumn gpus_{};
  CsvColumn gpu_share_{};
  std::optional<CsvColumn> models_;
  std::optional<CsvColumn> qos_;
  std::optional<TimeColumns> times_;
  ImportedTypes types_;
};

TraceNotes PodReader::Notes(std::size_t pods) const {
  TraceNotes notes;
  notes.lines.push_back(fmt::format("{} pods of {} sizes, each a service of one instance",
                                    FormatCount(static_cast<std::int64_t>(pods)), types_.size()));
  constexpr std::string_view kRead[] = {
      "name",     "cpu_milli", "memory_mib",    "num_gpu",       "gpu_milli",
      "gpu_spec", "qos",       "creation_time", "deletion_time", "scheduled_time"};
  if (std::string ignored = IgnoredColumns(csv_, kRead); !ignored.empty()) {
    notes.lines.push_back(std::move(ignored));
  }
  notes.lines.push_back(
      "gpu is num_gpu times gpu_milli of the machine's GPUs together: that a share must be of one "
      "GPU is ignored");
  notes.lines.push_back(models_
                            ? "gpu_spec is the SKUs that a pod may run on: the fleet's SKUs are "
                              "named as its models"
                            : "without gpu_spec a pod runs on any SKU");
  notes.lines.push_back(qos_ ? "qos LS and Guaranteed are gold, Burstable silver, BE bronze"
                             : "without qos the class is gold");
  notes.lines.push_back(
      times_ ? "a pod asks at creation_time and lasts from scheduled_time, or creation_time if it "
               "was never scheduled, to deletion_time"
             : fmt::format("without times a pod asks every {} s in the file's order, and stays",
                           FormatSeconds(kOrderOnlySpacing)));
  notes.lines.push_back(fmt::format("the trace names no owner: the tenant is {}", kTenant));
  return notes;
}

}  // namespace

Result<std::unique_ptr<Trace>> NewAlibabaGpuV2023(const TraceSource& source, const TraceOptions&) {
  BERTH_TRY(LineReader lines, source.Open());
  BERTH_TRY(PodReader pods, PodReader::Open(std::move(lines)));
  BERTH_TRY(std::vector<Arrival> arrivals, pods.ReadAll());
  TraceNotes notes = pods.Notes(arrivals.size());
  return std::unique_ptr<Trace>(
      std::make_unique<HeldTrace>(std::move(arrivals), pods.types().All(), std::move(notes)));
}

}  // namespace berth
