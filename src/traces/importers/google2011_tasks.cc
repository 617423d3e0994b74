// The task_events tables of Google's ClusterData 2011-2, without a header and in the order of time:
// what is submitted arrives, and the events that follow say how long it ran.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "base/csv.h"
#include "base/text.h"
#include "berth/change.h"
#include "traces/imported_types.h"
#include "traces/importers/builtin.h"
#include "traces/row_values.h"

namespace berth {
namespace {

constexpr std::size_t kSubmitsMax = 5'000'000;  // Held in memory: some fifty of the 500 files.
constexpr std::size_t kUsersMax = 100'000;
constexpr std::size_t kUserBytesMax = 128;
constexpr std::int64_t kAfterTheTraceMicros = INT64_MAX;  // As the format writes "later than all".
constexpr std::int64_t kTaskIdMax = INT64_C(1) << 53;
constexpr std::int64_t kTaskMax = INT64_C(1) << 31;
constexpr Duration kNever = Duration::max();

// Event types. Those from kEvict to kLost end a task.
constexpr std::int64_t kSubmit = 0;
constexpr std::int64_t kSchedule = 1;
constexpr std::int64_t kEvict = 2;
constexpr std::int64_t kLost = 6;
constexpr std::int64_t kUpdateRunning = 8;

// The trace's authors call 0 and 1 free, 9 to 11 production and above.
std::string_view ClassOfPriority(std::int64_t priority) {
  if (priority >= 9) return "gold";
  return priority >= 2 ? "silver" : "bronze";
}

struct Submit {
  Duration at{};
  Duration began{};
  Duration ended = kNever;
  std::int64_t job = 0;
  std::uint32_t task = 0;
  std::uint32_t attempt = 0;  // From 1: an evicted task may be submitted again.
  TypeId type;
  std::uint32_t user = 0;
  std::uint8_t scheduling_class = 0;
  std::uint8_t priority = 0;
  bool on_different_machines = false;  // From the other tasks of its job.

  std::optional<Duration> lifetime() const {
    return ended == kNever ? std::nullopt : std::optional(ended - began);
  }
};

class EventReader {
 public:
  static Result<EventReader> Open(LineReader lines) {
    EventReader events(CsvReader::WithColumns(
        std::move(lines), {"time", "missing info", "job ID", "task index", "machine ID",
                           "event type", "user", "scheduling class", "priority", "CPU request",
                           "memory request", "disk space request", "different machines"}));
    BERTH_TRY(events.time_, events.csv_.Column("time"));
    BERTH_TRY(events.job_, events.csv_.Column("job ID"));
    BERTH_TRY(events.task_, events.csv_.Column("task index"));
    BERTH_TRY(events.event_, events.csv_.Column("event type"));
    BERTH_TRY(events.user_, events.csv_.Column("user"));
    BERTH_TRY(events.class_, events.csv_.Column("scheduling class"));
    BERTH_TRY(events.priority_, events.csv_.Column("priority"));
    BERTH_TRY(events.cpu_, events.csv_.Column("CPU request"));
    BERTH_TRY(events.memory_, events.csv_.Column("memory request"));
    BERTH_TRY(events.different_, events.csv_.Column("different machines"));
    return events;
  }

  Result<std::vector<Submit>> ReadAll() {
    for (;;) {
      BERTH_TRY(const bool more, csv_.Next());
      if (!more) break;
      BERTH_RETURN_IF_ERROR(ReadEvent());
      ++events_;
    }
    if (events_ == 0) return csv_.Error("there are no events; is this the right file?");
    return std::move(submits_);
  }

  const ImportedTypes& types() const { return types_; }
  TraceNotes Notes(std::size_t submits, bool as_gang) const;

 private:
  static constexpr std::size_t kLeftOut = SIZE_MAX;
  struct Latest {
    std::size_t submit = kLeftOut;  // Where in submits_.
    std::uint32_t attempts = 0;
  };

  explicit EventReader(CsvReader csv) : csv_(std::move(csv)) {}

  Status ReadEvent() {
    BERTH_TRY(const std::int64_t time_us,
              IntegerIn(csv_, time_, {.min = 0, .max = kAfterTheTraceMicros}));
    if (time_us == kAfterTheTraceMicros) return {};
    if (time_us > kDurationMax.count()) {
      return csv_.Error(time_, fmt::format("{} is over 100 years; write microseconds", time_us));
    }
    const Duration at(time_us);
    if (at < last_) {
      return csv_.Error(
          time_, fmt::format("{} comes after {}; sort the rows by time", time_us, last_.count()));
    }
    last_ = at;
    BERTH_TRY(const std::int64_t event,
              IntegerIn(csv_, event_, {.min = kSubmit, .max = kUpdateRunning}));
    BERTH_TRY(const std::int64_t job, IntegerIn(csv_, job_, {.min = 0, .max = kTaskIdMax}));
    BERTH_TRY(const std::int64_t task, IntegerIn(csv_, task_, {.min = 0, .max = kTaskMax}));
    const std::pair key(job, static_cast<std::uint32_t>(task));
    if (event == kSubmit) return ReadSubmit(at, key);
    const auto latest = latest_.find(key);
    if (latest == latest_.end()) {
      ++of_unknown_tasks_;
      return {};
    }
    if (latest->second.submit == kLeftOut) return {};
    Submit& submit = submits_[latest->second.submit];
    if (submit.ended != kNever) return {};
    if (event == kSchedule) submit.began = at;
    if (event >= kEvict && event <= kLost) submit.ended = at;
    return {};
  }

  Status ReadSubmit(Duration at, const std::pair<std::int64_t, std::uint32_t>& key) {
    if (latest_.size() == kSubmitsMax || submits_.size() == kSubmitsMax) {
      return csv_.Error(fmt::format("over {} tasks; read fewer files at once", kSubmitsMax));
    }
    Latest& latest = latest_[key];
    latest.submit = kLeftOut;
    if (IsEmpty(csv_, cpu_) || IsEmpty(csv_, memory_)) {
      ++without_size_;
      return {};
    }
    Submit submit{.at = at, .began = at, .job = key.first, .task = key.second, .type = {}};
    submit.attempt = ++latest.attempts;
    BERTH_TRY(const std::int64_t cpu_nano, NanoIn(csv_, cpu_, 1));
    BERTH_TRY(const std::int64_t memory_nano, NanoIn(csv_, memory_, 1));
    BERTH_TRY(submit.type,
              types_.Of(csv_, {.cpu_milli = NanoOf(cpu_nano, LargestMachineCpuMilli()),
                               .memory_mib = NanoOf(memory_nano, LargestMachineMemoryMib()),
                               .gpu_milli = 0}));
    BERTH_TRY(submit.user, ReadUser());
    BERTH_TRY(const std::int64_t klass, IntegerIn(csv_, class_, {.min = 0, .max = 3}));
    BERTH_TRY(const std::int64_t priority, IntegerIn(csv_, priority_, {.min = 0, .max = 11}));
    submit.scheduling_class = static_cast<std::uint8_t>(klass);
    submit.priority = static_cast<std::uint8_t>(priority);
    if (!IsEmpty(csv_, different_)) {
      BERTH_TRY(const std::int64_t different, IntegerIn(csv_, different_, {.min = 0, .max = 1}));
      submit.on_different_machines = different == 1;
    }
    latest.submit = submits_.size();
    submits_.push_back(submit);
    return {};
  }

  // Users are hashes that are no names: numbered as they come.
  Result<std::uint32_t> ReadUser() {
    const std::string_view text = csv_.Text(user_);
    if (const auto known = users_.find(text); known != users_.end()) return known->second;
    if (text.size() > kUserBytesMax || users_.size() == kUsersMax) {
      return csv_.Error(user_, fmt::format("over {} letters or the user after {} others; is this "
                                           "the right file?",
                                           kUserBytesMax, kUsersMax));
    }
    const auto number = static_cast<std::uint32_t>(users_.size());
    users_.emplace(text, number);
    return number;
  }

  CsvReader csv_;
  CsvColumn time_{};
  CsvColumn job_{};
  CsvColumn task_{};
  CsvColumn event_{};
  CsvColumn user_{};
  CsvColumn class_{};
  CsvColumn priority_{};
  CsvColumn cpu_{};
  CsvColumn memory_{};
  CsvColumn different_{};
  Duration last_{};
  std::int64_t events_ = 0;
  std::int64_t without_size_ = 0;
  std::int64_t of_unknown_tasks_ = 0;
  std::vector<Submit> submits_;
  std::map<std::pair<std::int64_t, std::uint32_t>, Latest> latest_;
  std::map<std::string, std::uint32_t, std::less<>> users_;
  ImportedTypes types_;
};

TraceNotes EventReader::Notes(std::size_t submits, bool as_gang) const {
  TraceNotes notes;
  notes.lines.push_back(
      fmt::format("{} events: {} tasks submitted, of {} sizes and {} users", FormatCount(events_),
                  FormatCount(static_cast<std::int64_t>(submits)), types_.size(), users_.size()));
  if (without_size_ > 0) {
    notes.lines.push_back(
        fmt::format("{} tasks without a size are left out", FormatCount(without_size_)));
  }
  if (of_unknown_tasks_ > 0) {
    notes.lines.push_back(
        fmt::format("{} events of tasks that were submitted before the file begins are ignored",
                    FormatCount(of_unknown_tasks_)));
  }
  notes.lines.push_back(
      "ignored columns: missing info, machine ID, disk space request; updates of requests are "
      "ignored too");
  notes.lines.push_back(
      fmt::format("sizes are fractions of the largest machine, taken as {}; they are rounded up",
                  DescribeLargestMachine()));
  notes.lines.push_back(
      "a task lasts from its schedule event, or its submission if there is none, to the event that "
      "ends it; without one it stays; submitted again it is another service");
  notes.lines.push_back(
      "priorities 9 to 11 are gold, 2 to 8 silver, 0 and 1 bronze; the scheduling class is the "
      "role");
  notes.lines.push_back(
      as_gang ? fmt::format("a user is a tenant; tasks that a job submits at once are one service, "
                            "placed whole, in pieces of {} if there are more, which stays as long "
                            "as the longest of them",
                            kGangMax)
              : "a user is a tenant; its tasks are services of one instance each, so different "
                "machines for the tasks of a job are not enforced");
  return notes;
}

// Whether two tasks may be one service.
bool AreOneBatch(const Submit& a, const Submit& b) {
  const auto parts = [](const Submit& s) {
    return std::tuple(s.at, s.job, s.user, ClassOfPriority(s.priority), s.on_different_machines);
  };
  return parts(a) == parts(b);
}

class Google2011Tasks final : public Trace {
 public:
  Google2011Tasks(std::vector<Submit> submits, std::vector<InstanceType> types, TraceNotes notes,
                  bool as_gang)
      : submits_(std::move(submits)),
        types_(std::move(types)),
        notes_(std::move(notes)),
        as_gang_(as_gang) {
    // Jobs that submit at once may take turns in the file.
    if (as_gang_) {
      std::ranges::stable_sort(submits_, {},
                               [](const Submit& s) { return std::pair(s.at, s.job); });
    }
  }

  Result<std::optional<Arrival>> Next() override {
    if (next_ == submits_.size()) return std::optional<Arrival>();
    const Submit& first = submits_[next_++];
    Arrival arrival = ArrivalOf(first);
    std::size_t count = 1;
    while (as_gang_ && next_ < submits_.size() && count < kGangMax &&
           AreOneBatch(first, submits_[next_])) {
      Join(arrival, submits_[next_++]);
      ++count;
    }
    return std::optional(std::move(arrival));
  }

  std::vector<InstanceType> Types() const override { return types_; }
  TraceNotes Notes() const override { return notes_; }

 private:
  static InstanceGroup GroupOf(const Submit& submit) {
    return {.type = submit.type,
            .role = RoleId(fmt::format("class-{}", submit.scheduling_class)),
            .count = 1};
  }

  Arrival ArrivalOf(const Submit& submit) const {
    Arrival arrival;
    arrival.at = Time(submit.at - submits_.front().at);
    arrival.lifetime = submit.lifetime();
    Service& service = arrival.service;
    service.name = fmt::format("job-{}-{}", submit.job, submit.task);
    if (submit.attempt > 1) service.name += fmt::format("-{}", submit.attempt);
    service.tenant = TenantId(fmt::format("user-{}", submit.user));
    service.klass = ClassId(ClassOfPriority(submit.priority));
    service.groups.push_back(GroupOf(submit));
    if (submit.on_different_machines) service.constraints.max_per_machine = 1;
    return arrival;
  }

  static void Join(Arrival& gang, const Submit& submit) {
    std::vector<InstanceGroup>& groups = gang.service.groups;
    InstanceGroup group = GroupOf(submit);
    const auto same = std::ranges::find_if(groups, [&](const InstanceGroup& known) {
      return known.type == group.type && known.role == group.role;
    });
    if (same != groups.end()) {
      ++same->count;
    } else {
      groups.push_back(group);
    }
    const std::optional<Duration> lifetime = submit.lifetime();
    gang.lifetime = gang.lifetime && lifetime ? std::optional(std::max(*gang.lifetime, *lifetime))
                                              : std::nullopt;
  }

  std::vector<Submit> submits_;  // In the order of time.
  std::vector<InstanceType> types_;
  TraceNotes notes_;
  bool as_gang_;
  std::size_t next_ = 0;
};

}  // namespace

Result<std::unique_ptr<Trace>> NewGoogle2011Tasks(const TraceSource& source,
                                                  const TraceOptions& options) {
  BERTH_TRY(LineReader lines, source.Open());
  BERTH_TRY(EventReader events, EventReader::Open(std::move(lines)));
  BERTH_TRY(std::vector<Submit> submits, events.ReadAll());
  TraceNotes notes = events.Notes(submits.size(), options.batch_as_gang);
  return std::unique_ptr<Trace>(std::make_unique<Google2011Tasks>(
      std::move(submits), events.types().All(), std::move(notes), options.batch_as_gang));
}

}  // namespace berth
