// Takes the samples that a zone is sent, on a thread of its own so that no decision waits for them,
// and saves them every so often.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "base/thread_executor.h"
#include "store/observations.h"
#include "usage/samples.h"
#include "usage/seen_usage.h"

namespace berth {

class Observer {
 public:
  explicit Observer(std::unique_ptr<Observations> observations);
  // Saves what came.
  ~Observer();
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  // From any thread: `use` is called on the observer's own.
  void Use(std::function<void(Samples& samples, Time now)> use);
  // The same with all that is kept, for what is learnt from samples and kept with them.
  void UseAll(std::function<void(const Samples& samples, Observations& observations)> use);
  // The same with the records of what instances were seen to take; what could not be done with them
  // is counted.
  void UseRecords(std::function<Status(UsageRecords& records)> use);
  void Note(const Samples::Taken& taken);
  void NoteNotSaved() { ++saves_failed_; }
  // What came of asking Prometheus.
  struct Polled {
    std::uint64_t polls = 0;
    std::uint64_t polls_failed = 0;    // Of them.
    std::uint64_t series_refused = 0;  // Of nobody that there is, or no samples.
  };
  void NotePolled(const Polled& more);

  // What others learned, to be there again after a restart; what could not be written is counted.
  void Keep(std::vector<Observation> entries);
  // Waits until what was to be kept before is written; not from the observer's thread.
  void Flush();
  // What was kept, of the keys from `from` up to `to`. Waits for it; not from the observer's
  // thread.
  std::vector<Observation> Recall(std::string_view from, std::string_view to);

  struct Counts {
    std::uint64_t taken = 0;
    std::uint64_t left_out = 0;
    std::uint64_t saves_failed = 0;
    Polled polled;
  };
  Counts counts() const {
    return {.taken = taken_,
            .left_out = left_out_,
            .saves_failed = saves_failed_,
            .polled = {
                .polls = polls_, .polls_failed = polls_failed_, .series_refused = series_refused_}};
  }

 private:
  void SaveLater();
  void Save(Time now);

  const std::unique_ptr<Observations> observations_;
  Samples samples_;
  UsageRecords records_;
  std::atomic<std::uint64_t> taken_ = 0;
  std::atomic<std::uint64_t> left_out_ = 0;
  std::atomic<std::uint64_t> saves_failed_ = 0;
  std::atomic<std::uint64_t> polls_ = 0;
  std::atomic<std::uint64_t> polls_failed_ = 0;
  std::atomic<std::uint64_t> series_refused_ = 0;
  ThreadExecutor thread_;  // Last: it uses everything above.
};

}  // namespace berth
