// Batch tasks of Alibaba's cluster-trace-v2017, in any order: batch_task.csv with a header, or the
// list of jobs that CloudSimPy made of it; the header says which.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/csv.h"
#include "base/text.h"
#include "berth/change.h"
#include "traces/imported_types.h"
#include "traces/importers/builtin.h"
#include "traces/row_values.h"
#include "traces/seconds.h"

namespace berth {
namespace {

constexpr std::string_view kBatchClass = "bronze";  // Batch work waits and yields.
constexpr std::int64_t kTimeSecondsMax = 1'000'000'000;
constexpr std::int64_t kDurationSecondsMax = 1'000'000;
constexpr std::int64_t kBatchIdMax = 1'000'000'000;
constexpr std::int64_t kInstancesMax = 100'000;  // Of one task.
constexpr std::int64_t kCpuMax = 1'000'000;      // In the file's unit.

// One of the two forms of the table.
struct Form {
  std::string_view create;
  std::string_view end;  // A time, or how long it lasts.
  std::string_view instances;
  std::string_view cpu;
  std::string_view memory;
  std::int64_t milli_per_cpu = 0;
  bool end_is_duration = false;
};
constexpr Form kBatchTask{
    .create = "task_create_time",
    .end = "task_end_time",
    .instances = "number_of_instances",
    .cpu = "number_of_cpus_requested_per_instance_in_the_task",
    .memory = "normalized_memory_requested_per_instance_in_the_task",
    .milli_per_cpu = 10,  // 100 is a core.
    .end_is_duration = false,
};
constexpr Form kCloudSimPy{
    .create = "submit_time",
    .end = "duration",
    .instances = "instances_num",
    .cpu = "cpu",
    .memory = "memory",
    .milli_per_cpu = 1000,
    .end_is_duration = true,
};

struct Task {
  Duration at{};  // As in the file; may be negative.
  std::optional<Duration> lifetime;
  std::int64_t job = 0;
  std::int64_t number = 0;  // Within its job.
  std::int64_t instances = 0;
  TypeId type;
};

class TaskReader {
 public:
  static Result<TaskReader> Open(LineReader lines) {
    BERTH_TRY(CsvReader csv, CsvReader::Open(std::move(lines)));
    TaskReader tasks(std::move(csv));
    BERTH_RETURN_IF_ERROR(tasks.FindColumns());
    return tasks;
  }

  Result<std::vector<Task>> ReadAll() {
    std::vector<Task> tasks;
    std::set<std::pair<std::int64_t, std::int64_t>> seen;
    for (;;) {
      BERTH_TRY(const bool more, csv_.Next());
      if (!more) break;
      if (seen.size() == kHeldRowsMax) {
        return csv_.Error(fmt::format("over {} tasks; cut the file in pieces", kHeldRowsMax));
      }
      BERTH_TRY(std::optional<Task> task, ReadTask());
      if (!task) continue;
      if (!seen.emplace(task->job, task->number).second) {
        return csv_.Error(task_, fmt::format("task {} of job {} is there twice; leave one out",
                                             task->number, task->job));
      }
      tasks.push_back(*task);
    }
    std::ranges::stable_sort(tasks, {}, &Task::at);
    return tasks;
  }

  const ImportedTypes& types() const { return types_; }
  TraceNotes Notes(std::size_t tasks, bool as_gang) const;

 private:
  explicit TaskReader(CsvReader csv)
      : csv_(std::move(csv)),
        form_(csv_.FindColumn(kCloudSimPy.create) ? kCloudSimPy : kBatchTask) {}

  Status FindColumns() {
    BERTH_TRY(create_, csv_.Column(form_.create));
    BERTH_TRY(end_, csv_.Column(form_.end));
    BERTH_TRY(job_, csv_.Column("job_id"));
    BERTH_TRY(task_, csv_.Column("task_id"));
    BERTH_TRY(instances_, csv_.Column(form_.instances));
    BERTH_TRY(cpu_, csv_.Column(form_.cpu));
    BERTH_TRY(memory_, csv_.Column(form_.memory));
    return {};
  }

  // None if the row asks for nothing.
  Result<std::optional<Task>> ReadTask() {
    if (IsEmpty(csv_, cpu_) || IsEmpty(csv_, memory_)) {
      ++without_request_;
      return std::optional<Task>();
    }
    Task task;
    BERTH_TRY(const std::int64_t create_s,
              IntegerIn(csv_, create_, {.min = -kTimeSecondsMax, .max = kTimeSecondsMax}));
    task.at = std::chrono::seconds(create_s);
    BERTH_TRY(task.lifetime, ReadLifetime(create_s));
    BERTH_TRY(task.job, IntegerIn(csv_, job_, {.min = 0, .max = kBatchIdMax}));
    BERTH_TRY(task.number, IntegerIn(csv_, task_, {.min = 0, .max = kBatchIdMax}));
    BERTH_TRY(task.instances, IntegerIn(csv_, instances_, {.min = 1, .max = kInstancesMax}));
    BERTH_TRY(const std::int64_t cpu_nano, NanoIn(csv_, cpu_, kCpuMax));
    BERTH_TRY(const std::int64_t memory_nano, NanoIn(csv_, memory_, 1));
    const ImportedSize size{.cpu_milli = NanoOf(cpu_nano, form_.milli_per_cpu),
                            .memory_mib = NanoOf(memory_nano, LargestMachineMemoryMib()),
                            .gpu_milli = 0};
    BERTH_TRY(task.type, types_.Of(csv_, size));
    return std::optional(task);
  }

  // None if the file does not know: its end is then 0 or before its start.
  Result<std::optional<Duration>> ReadLifetime(std::int64_t create_s) {
    if (form_.end_is_duration) {
      BERTH_TRY(const std::int64_t nano, NanoIn(csv_, end_, kDurationSecondsMax));
      return std::optional(Duration(nano / 1000));
    }
    BERTH_TRY(const std::int64_t end_s,
              IntegerIn(csv_, end_, {.min = -kTimeSecondsMax, .max = kTimeSecondsMax}));
    if (end_s >= create_s) {
      return std::optional<Duration>(std::chrono::seconds(end_s - create_s));
    }
    ++without_end_;
    return std::optional<Duration>();
  }

  CsvReader csv_;
  Form form_;
  CsvColumn create_{};
  CsvColumn end_{};
  CsvColumn job_{};
  CsvColumn task_{};
  CsvColumn instances_{};
  CsvColumn cpu_{};
  CsvColumn memory_{};
  std::int64_t without_request_ = 0;
  std::int64_t without_end_ = 0;
  ImportedTypes types_;
};

TraceNotes TaskReader::Notes(std::size_t tasks, bool as_gang) const {
  TraceNotes notes;
  notes.lines.push_back(fmt::format("{} tasks of {} sizes",
                                    FormatCount(static_cast<std::int64_t>(tasks)), types_.size()));
  if (without_request_ > 0) {
    notes.lines.push_back(fmt::format("{} tasks that ask for no cpu or memory are left out",
                                      FormatCount(without_request_)));
  }
  const std::string_view read[] = {form_.create, form_.end, form_.instances, form_.cpu,
                                   form_.memory, "job_id",  "task_id"};
  if (std::string ignored = IgnoredColumns(csv_, read); !ignored.empty()) {
    notes.lines.push_back(std::move(ignored));
  }
  notes.lines.push_back(
      fmt::format("cpu {} is a core; memory is a fraction of the largest machine, taken as {} GiB",
                  1000 / form_.milli_per_cpu, LargestMachineMemoryMib() / 1024));
  notes.lines.push_back(
      as_gang ? fmt::format("a job is a tenant; a task is one service, placed whole, in pieces of "
                            "{} instances if it has more",
                            kGangMax)
              : "a job is a tenant; the instances of its tasks are services of one instance each");
  notes.lines.push_back(fmt::format("the class is {}; there are no constraints", kBatchClass));
  notes.lines.push_back("an instance lasts as long as its task");
  if (without_end_ > 0) {
    notes.lines.push_back(fmt::format("{} tasks that end before they begin stay to the trace's end",
                                      FormatCount(without_end_)));
  }
  return notes;
}

class AlibabaBatchV2017 final : public Trace {
 public:
  AlibabaBatchV2017(std::vector<Task> tasks, std::vector<InstanceType> types, TraceNotes notes,
                    bool as_gang)
      : tasks_(std::move(tasks)),
        types_(std::move(types)),
        notes_(std::move(notes)),
        as_gang_(as_gang) {}

  Result<std::optional<Arrival>> Next() override {
    if (task_ == tasks_.size()) return std::optional<Arrival>();
    const Task& task = tasks_[task_];
    const std::int64_t count =
        as_gang_ ? std::min<std::int64_t>(task.instances - instance_, kGangMax) : 1;
    Arrival arrival;
    arrival.at = Time(task.at - tasks_.front().at);
    arrival.lifetime = task.lifetime;
    Service& service = arrival.service;
    service.name = fmt::format("job-{}-{}-{}", task.job, task.number, instance_);
    service.tenant = TenantId(fmt::format("job-{}", task.job));
    service.klass = ClassId(kBatchClass);
    service.groups.push_back(
        {.type = task.type, .role = {}, .count = static_cast<std::uint32_t>(count)});
    instance_ += count;
    if (instance_ == task.instances) {
      instance_ = 0;
      ++task_;
    }
    return std::optional(std::move(arrival));
  }

  std::vector<InstanceType> Types() const override { return types_; }
  TraceNotes Notes() const override { return notes_; }

 private:
  std::vector<Task> tasks_;  // In the order of time.
  std::vector<InstanceType> types_;
  TraceNotes notes_;
  bool as_gang_;
  std::size_t task_ = 0;
  std::int64_t instance_ = 0;  // Of that task: the next.
};

}  // namespace

Result<std::unique_ptr<Trace>> NewAlibabaBatchV2017(const TraceSource& source,
                                                    const TraceOptions& options) {
  BERTH_TRY(LineReader lines, source.Open());
  BERTH_TRY(TaskReader reader, TaskReader::Open(std::move(lines)));
  BERTH_TRY(std::vector<Task> tasks, reader.ReadAll());
  TraceNotes notes = reader.Notes(tasks.size(), options.batch_as_gang);
  return std::unique_ptr<Trace>(std::make_unique<AlibabaBatchV2017>(
      std::move(tasks), reader.types().All(), std::move(notes), options.batch_as_gang));
}

}  // namespace berth
