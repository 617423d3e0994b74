// Programs of the user's that recommend while a server runs. Who decides never waits for them: what
// a program is told goes to a thread of its own, and what it answers comes home as a task.
//
// But for `Exchange`, everything here belongs to the engine's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "berth/executor.h"
#include "rightsize/external_program.h"
#include "rightsize/external_talk.h"
#include "rightsize/program_names.h"

namespace berth {

class LiveProgram {
 public:
  // Lines that may wait of one service and resource; of more the oldest are dropped.
  static constexpr std::size_t kWaitingLinesMax = 12;
  // And of all services together; what comes when it is full is dropped.
  static constexpr std::size_t kWaitingBytesMax = std::size_t{64} << 20;
  // One that failed is started again after so long, however often it was asked since.
  static constexpr Duration kTryAgainAfter = std::chrono::hours(1);

  // Told when it begins to fail and when it answers again, on the program's thread.
  using Say = std::function<void(const std::string& what)>;
  LiveProgram(std::shared_ptr<ExternalProgram> program, std::unique_ptr<Executor> asks, Say say);

  std::unique_ptr<ExternalTalk> NewTalk(std::string start) const {
    return std::make_unique<ExternalTalk>(program_, std::move(start));
  }
  // Runs it on the program's thread.
  void Post(Executor::Task task) { asks_->Post(std::move(task)); }
  // As ExternalTalk::Tell, on the program's thread.
  ExternalTalk::Outcome Exchange(ExternalTalk& talk, std::string_view what, std::string_view state,
                                 const std::function<Status(const Node&)>& take);

  struct Counts {
    std::uint64_t answers = 0;
    std::uint64_t failures = 0;  // It ended, took too long, or answered nonsense.
    std::uint64_t left_out = 0;  // Lines that it was not asked, as it had failed before,
    std::uint64_t dropped = 0;   // and that it never will be, as too many waited.
    std::uint64_t waiting = 0;   // Now, with those that it is being asked.
  };
  const Counts& counts() const { return counts_; }
  // False: there is no room for so many bytes more, and the line is dropped.
  bool Admit(std::size_t bytes);
  // A line of so many bytes waits no longer.
  void Leave(std::size_t bytes);
  void NoteDropped() { ++counts_.dropped; }
  void NoteOutcome(ExternalTalk::Outcome outcome);

 private:
  Counts counts_;
  std::size_t waiting_bytes_ = 0;

  std::shared_ptr<ExternalProgram> program_;
  // On its thread only.
  Say say_;
  bool failing_ = false;
  Time failed_at_;

  std::unique_ptr<Executor> asks_;  // Last: its thread uses everything above.
};

struct ProgramCommand {
  std::string name;
  std::string path;
};

// All that a server was started with.
class LivePrograms {
 public:
  static constexpr std::size_t kProgramsMax = 16;

  using Say = std::function<void(const std::string& what)>;
  // Starts them and greets them, each with a thread of its own.
  static Result<std::unique_ptr<LivePrograms>> Open(std::span<const ProgramCommand> commands,
                                                    const Say& say);

  void Add(const std::string& name, std::unique_ptr<LiveProgram> program) {
    programs_[name] = std::move(program);
  }
  // Null: there is none of that name.
  LiveProgram* Find(std::string_view name) const;
  ProgramNames Names() const;
  const std::map<std::string, std::unique_ptr<LiveProgram>, std::less<>>& all() const {
    return programs_;
  }
  // Lines that are not answered yet.
  std::uint64_t Waiting() const;

 private:
  std::map<std::string, std::unique_ptr<LiveProgram>, std::less<>> programs_;
};

// The programs as one engine asks them. It outlives all who were made with it.
struct ProgramDesk {
  LivePrograms* programs = nullptr;  // Null: there is no server, and nobody is asked.
  Executor* home = nullptr;          // Where answers arrive.
  // A line of a service was answered, or will not be.
  std::function<void(const std::string& service)> heard = {};

  // Of `external:NAME`; null: it is not there.
  LiveProgram* Find(std::string_view external) const;
};

}  // namespace berth
