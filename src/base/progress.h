// A progress line for long work, on a terminal only.
//
//   Progress progress("importing", bytes, [&] { return executor.now(); });
//   while (...) progress.Update(bytes_read);
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "berth/time.h"

namespace berth {

// "importing  42%  12,345/s  1m 5s left". Without a total: "importing  12,345  1,234/s".
std::string FormatProgress(std::string_view label, std::uint64_t done, std::uint64_t total,
                           Duration elapsed);

// Where progress is drawn: standard error if it is a terminal, nowhere otherwise.
using ProgressSink = std::function<void(std::string_view)>;
ProgressSink TerminalSink();

// Draws nothing in the first two seconds, so that short work stays quiet, then at most ten times a
// second; wipes its line when it goes.
class Progress {
 public:
  // A total of 0 is unknown. Nothing is drawn, nor the time asked for, without a sink.
  Progress(std::string label, std::uint64_t total, std::function<Time()> now,
           ProgressSink sink = TerminalSink());
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  // `done` of the total, counted from the start.
  void Update(std::uint64_t done);

 private:
  std::string label_;
  std::uint64_t total_;
  std::function<Time()> now_;
  ProgressSink sink_;
  Time start_;
  Time next_draw_;
  bool drawn_ = false;
};

}  // namespace berth
