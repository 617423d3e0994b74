// A recommender that is a program of the user's: JSON, a line each way. docs/external.md has the
// protocol. One program serves any number of services, each by its id.
//
// What goes wrong does not stop anybody: the last advice stays. A program that ends, answers
// nonsense or not at all is started anew, but after a first failure only when it was asked once
// more, after a second one twice, and so on, doubling; after ten in a row it is left alone.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/document.h"
#include "base/line_process.h"
#include "berth/status.h"

namespace berth {

inline constexpr std::string_view kExternalPrefix = "external:";

class ExternalProgram {
 public:
  static constexpr int kProtocolVersion = 1;
  static constexpr std::uint32_t kFailuresMax = 10;
  static constexpr Duration kAnswerWait = std::chrono::seconds(5);

  // Starts it and greets it: one that cannot be started, or speaks another protocol, is an error.
  static Result<std::shared_ptr<ExternalProgram>> Open(std::vector<std::string> command,
                                                       Duration wait = kAnswerWait);

  // Ids that are given back are given again, to services that begin anew: however many come and go,
  // the program knows no more than there are.
  std::uint32_t NewId();
  void GiveBack(std::uint32_t id) { free_ids_.push_back(id); }
  // Of the process that runs now: whoever was told of an earlier one must begin anew. 0: none runs.
  std::uint32_t session() const { return session_; }
  // In a row, up to now.
  std::uint32_t failures() const { return failures_; }
  // Starts it again if it ended and it is time to; whether it runs.
  bool IsRunning();

  // The answer to a line, which must name the id. An error ends the process.
  Result<Document> Ask(std::uint32_t id, std::string_view line);
  // What was read of an answer makes no sense: the same as no answer.
  void Refuse(const Status& status);
  // An answer was of use.
  void Accept() { failures_ = 0; }
  // Enough time has passed: when it is asked next it is started again, once if it was left alone.
  void TryAgain();

  // What went wrong, if anything did, in a sentence or two.
  std::string Trouble() const;
  // What went wrong last; empty: nothing did.
  const std::string& last_trouble() const { return last_trouble_; }

 private:
  ExternalProgram(std::vector<std::string> command, Duration wait)
      : command_(std::move(command)), wait_(wait) {}

  Status Greet();
  Result<Document> AskOnce(std::uint32_t id, std::string_view line);

  std::vector<std::string> command_;
  Duration wait_;
  std::unique_ptr<LineProcess> process_;
  std::uint32_t last_id_ = 0;
  std::vector<std::uint32_t> free_ids_;
  std::uint32_t session_ = 0;
  std::uint32_t sessions_ = 0;
  std::uint32_t failures_ = 0;  // In a row.
  std::uint64_t asks_left_out_ = 0;
  std::uint64_t leave_out_ = 0;  // So many more before it is started again.
  std::string first_trouble_;
  std::string last_trouble_;
};

// A text in quotes, as JSON has it.
std::string JsonText(std::string_view text);

}  // namespace berth
