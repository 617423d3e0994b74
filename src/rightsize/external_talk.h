// One service in the talk with a program of the user's: it is introduced to every process that is
// new, and then told of, line by line.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "rightsize/external_program.h"

namespace berth {

class ExternalTalk {
 public:
  enum class Outcome : std::uint8_t {
    kAnswered,
    kFailed,   // It ended, took too long, or answered what makes no sense.
    kLeftOut,  // It does not run, and was not asked.
  };

  // `start` is what a new process is told of the service, but for its state: `"sets":"limit",...`.
  ExternalTalk(std::shared_ptr<ExternalProgram> program, std::string start)
      : program_(std::move(program)), start_(std::move(start)) {}
  ~ExternalTalk();
  ExternalTalk(const ExternalTalk&) = delete;
  ExternalTalk& operator=(const ExternalTalk&) = delete;

  // Tells of something, such as `"oom":{...}`, and has the answer taken. `state` is the last that
  // the program said.
  Outcome Tell(std::string_view what, std::string_view state,
               const std::function<Status(const Node&)>& take);
  // The program must be told the state again.
  void BeginAnew() { told_ = 0; }

 private:
  bool IsIntroduced(std::string_view state);

  std::shared_ptr<ExternalProgram> program_;
  std::string start_;
  std::uint32_t id_ = 0;    // 0: none yet.
  std::uint32_t told_ = 0;  // The session that knows of it.
};

}  // namespace berth
