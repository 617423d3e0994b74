#include "rightsize/live_program.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "base/text.h"
#include "base/thread_executor.h"
#include "berth/name.h"

namespace berth {

LiveProgram::LiveProgram(std::shared_ptr<ExternalProgram> program, std::unique_ptr<Executor> asks,
                         Say say)
    : program_(std::move(program)), say_(std::move(say)), asks_(std::move(asks)) {}

ExternalTalk::Outcome LiveProgram::Exchange(ExternalTalk& talk, std::string_view what,
                                            std::string_view state,
                                            const std::function<Status(const Node&)>& take) {
  using Outcome = ExternalTalk::Outcome;
  if (failing_ && asks_->now() >= failed_at_ + kTryAgainAfter) program_->TryAgain();
  const Outcome outcome = talk.Tell(what, state, take);
  if (outcome == Outcome::kFailed) {
    failed_at_ = asks_->now();
    if (!std::exchange(failing_, true)) {
      say_(fmt::format("{}; the last advice stays", program_->last_trouble()));
    }
  }
  if (outcome == Outcome::kAnswered && std::exchange(failing_, false)) say_("it answers again");
  return outcome;
}

bool LiveProgram::Admit(std::size_t bytes) {
  if (waiting_bytes_ + bytes > kWaitingBytesMax) return false;
  waiting_bytes_ += bytes;
  ++counts_.waiting;
  return true;
}

void LiveProgram::Leave(std::size_t bytes) {
  waiting_bytes_ -= bytes;
  --counts_.waiting;
}

void LiveProgram::NoteOutcome(ExternalTalk::Outcome outcome) {
  switch (outcome) {
    case ExternalTalk::Outcome::kAnswered:
      ++counts_.answers;
      return;
    case ExternalTalk::Outcome::kFailed:
      ++counts_.failures;
      return;
    case ExternalTalk::Outcome::kLeftOut:
      ++counts_.left_out;
      return;
  }
}

Result<std::unique_ptr<LivePrograms>> LivePrograms::Open(std::span<const ProgramCommand> commands,
                                                         const Say& say) {
  const auto refuse = [](std::string message) {
    return Status(Code::kInvalidArgument, std::move(message));
  };
  if (commands.size() > kProgramsMax) {
    return refuse(fmt::format("there are {} programs, and {} are the most; leave some out",
                              commands.size(), kProgramsMax));
  }
  auto programs = std::make_unique<LivePrograms>();
  for (const auto& [name, path] : commands) {
    if (!IsValidName(name)) {
      return refuse(
          fmt::format("--program {}={}: a name has 1 to 128 letters, digits, '.', '_' "
                      "and '-'",
                      name, path));
    }
    if (programs->Find(name) != nullptr) {
      return refuse(fmt::format("--program {}={}: {} is there twice; give each a name of its own",
                                name, path, Quoted(name)));
    }
    Result<std::shared_ptr<ExternalProgram>> program = ExternalProgram::Open({path});
    if (!program.ok()) {
      return Status(program.status().code(),
                    fmt::format("--program {}={}: {}", name, path, program.status().message()));
    }
    programs->Add(name, std::make_unique<LiveProgram>(
                            std::move(program).value(), std::make_unique<ThreadExecutor>(),
                            [say, named = name](const std::string& what) {
                              say(fmt::format("{}{}: {}", kExternalPrefix, named, what));
                            }));
  }
  return programs;
}

LiveProgram* LivePrograms::Find(std::string_view name) const {
  const auto found = programs_.find(name);
  return found == programs_.end() ? nullptr : found->second.get();
}

ProgramNames LivePrograms::Names() const {
  std::set<std::string, std::less<>> names;
  for (const auto& [name, program] : programs_) names.insert(name);
  return ProgramNames(std::move(names));
}

std::uint64_t LivePrograms::Waiting() const {
  std::uint64_t waiting = 0;
  for (const auto& [name, program] : programs_) waiting += program->counts().waiting;
  return waiting;
}

LiveProgram* ProgramDesk::Find(std::string_view external) const {
  return programs == nullptr ? nullptr : programs->Find(external.substr(kExternalPrefix.size()));
}

}  // namespace berth
