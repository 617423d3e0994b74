// A program of the user's, asked line by line: what it writes to its standard output is the answer
// to what it reads from its standard input. Waits, so it is not for whoever must not block.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "berth/status.h"
#include "berth/time.h"

namespace berth {

class LineProcess {
 public:
  static constexpr std::size_t kAnswerBytesMax = std::size_t{64} << 10;

  // By its path, or its name in PATH, and what it is given. That it cannot be started is an error;
  // what it complains of goes where our own complaints go.
  static Result<std::unique_ptr<LineProcess>> Start(const std::vector<std::string>& command);

  LineProcess(const LineProcess&) = delete;
  LineProcess& operator=(const LineProcess&) = delete;
  // Its input ends; if it does not soon, or failed before, it is killed with all that it started.
  // It is waited for, so nothing of it is left.
  ~LineProcess();

  // Writes the line and waits for one. Errors are final: ask no more.
  Result<std::string> Ask(std::string_view line, Duration wait);

 private:
  LineProcess(int process, int socket) : process_(process), socket_(socket) {}

  class Deadline;
  Result<std::string> AskOnce(std::string_view line, Duration wait);
  Status WaitFor(int events, const Deadline& deadline);
  Status Write(std::string_view text, const Deadline& deadline);
  Status ReadMore(const Deadline& deadline);
  // How it ended; it has closed its side.
  Status Ended();
  void Reap();

  int process_;  // Its id, and that of its group.
  int socket_;
  bool reaped_ = false;
  bool broken_ = false;  // Nobody counts on it any more.
  int exit_status_ = 0;
  std::string unread_;
};

}  // namespace berth
