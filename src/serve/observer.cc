#include "serve/observer.h"

#include <future>
#include <utility>

#include "base/run_on.h"

namespace berth {
namespace {

// Half of the minute that may be lost, as the other half may be on its way to the disk.
constexpr Duration kSaveEvery = std::chrono::seconds(30);

}  // namespace

Observer::Observer(std::unique_ptr<Observations> observations)
    : observations_(std::move(observations)), samples_(*observations_), records_(*observations_) {
  thread_.Post([this] { SaveLater(); });
}

Observer::~Observer() {
  thread_.Stop();
  Save(thread_.now());
}

void Observer::Use(std::function<void(Samples& samples, Time now)> use) {
  thread_.Post([this, use = std::move(use)] { use(samples_, thread_.now()); });
}

void Observer::UseAll(std::function<void(const Samples& samples, Observations& observations)> use) {
  thread_.Post([this, use = std::move(use)] { use(samples_, *observations_); });
}

void Observer::UseRecords(std::function<Status(UsageRecords& records)> use) {
  thread_.Post([this, use = std::move(use)] {
    if (!use(records_).ok()) ++saves_failed_;
  });
}

void Observer::Note(const Samples::Taken& taken) {
  taken_ += taken.taken;
  left_out_ += taken.left_out;
}

void Observer::NotePolled(const Polled& more) {
  polls_ += more.polls;
  polls_failed_ += more.polls_failed;
  series_refused_ += more.series_refused;
}

void Observer::Keep(std::vector<Observation> entries) {
  thread_.Post([this, entries = std::move(entries)] {
    if (!observations_->Write(entries).ok()) ++saves_failed_;
  });
}

void Observer::Flush() {
  RunOn(thread_, [] {});
}

std::vector<Observation> Observer::Recall(std::string_view from, std::string_view to) {
  std::promise<std::vector<Observation>> recalled;
  thread_.Post([&] {
    std::vector<Observation> entries;
    const Status status =
        observations_->Scan(from, to, [&](std::string_view key, std::string_view value) {
          entries.push_back({std::string(key), std::string(value)});
          return true;
        });
    if (!status.ok()) ++saves_failed_;
    recalled.set_value(std::move(entries));
  });
  return recalled.get_future().get();
}

void Observer::SaveLater() {
  thread_.PostAt(thread_.now() + kSaveEvery, [this] {
    Save(thread_.now());
    SaveLater();
  });
}

// What could not be saved is tried again the next time.
void Observer::Save(Time now) {
  const bool samples = samples_.Save(now).ok();
  const bool records = records_.Save().ok();
  if (!samples || !records) ++saves_failed_;
}

}  // namespace berth
