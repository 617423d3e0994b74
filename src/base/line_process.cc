#include "base/line_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/stopwatch.h"
#include "base/text.h"
#include "berth/check.h"

namespace berth {
namespace {

constexpr Duration kFarewell = std::chrono::seconds(1);

std::string ErrnoText(int error) { return strerrordesc_np(error); }

// Both of its standard streams are one socket: unlike a pipe it can be written to without a signal
// when nobody reads any more.
int Spawn(const std::vector<std::string>& command, int socket, pid_t& process) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO);
  // Connections and files that we have open would stay open with it.
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // A group of its own, so that what it starts can be ended with it. Signals that we block for
  // threads of ours are none of its business.
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int error =
      posix_spawnp(&process, arguments.front(), &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

}  // namespace

class LineProcess::Deadline {
 public:
  explicit Deadline(Duration wait) : wait_(wait) {}
  Duration wait() const { return wait_; }
  int left_ms() const {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(wait_ - stopwatch_.elapsed()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000));
  }

 private:
  Duration wait_;
  Stopwatch stopwatch_;
};

Result<std::unique_ptr<LineProcess>> LineProcess::Start(const std::vector<std::string>& command) {
  BERTH_CHECK(!command.empty());
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
    return Status(Code::kUnavailable, fmt::format("cannot start {}: no sockets: {}",
                                                  Quoted(command.front()), ErrnoText(errno)));
  }
  pid_t process = 0;
  const int error = Spawn(command, sockets[1], process);
  close(sockets[1]);
  if (error != 0) {
    close(sockets[0]);
    return Status(Code::kInvalidArgument,
                  fmt::format("cannot start {}: {}; it must be a program, and executable",
                              Quoted(command.front()), ErrnoText(error)));
  }
  fcntl(sockets[0], F_SETFL, O_NONBLOCK);
  return std::unique_ptr<LineProcess>(new LineProcess(process, sockets[0]));
}

LineProcess::~LineProcess() {
  shutdown(socket_, SHUT_WR);
  const Deadline deadline(kFarewell);
  // What it still says is of no use, but it may have to be rid of it to end.
  while (!broken_ && !reaped_ && ReadMore(deadline).ok()) unread_.clear();
  Reap();
  close(socket_);
}

void LineProcess::Reap() {
  if (reaped_) return;
  kill(-process_, SIGKILL);
  while (waitpid(process_, &exit_status_, 0) < 0 && errno == EINTR) {
  }
  reaped_ = true;
}

Status LineProcess::Ended() {
  // It may have closed its output without ending: it gets a moment to do so before it is killed.
  const Deadline deadline(kFarewell);
  while (!reaped_ && deadline.left_ms() > 0) {
    if (waitpid(process_, &exit_status_, WNOHANG) == process_) {
      reaped_ = true;
    } else {
      poll(nullptr, 0, 5);
    }
  }
  if (!reaped_) {
    Reap();
    return {Code::kUnavailable, "it closed its output"};
  }
  kill(-process_, SIGKILL);  // Whatever it started.
  if (WIFSIGNALED(exit_status_)) {
    return {Code::kUnavailable, fmt::format("it was ended by signal {}", WTERMSIG(exit_status_))};
  }
  return {Code::kUnavailable, fmt::format("it ended with status {}", WEXITSTATUS(exit_status_))};
}

Status LineProcess::WaitFor(int events, const Deadline& deadline) {
  for (;;) {
    pollfd waiting{.fd = socket_, .events = static_cast<std::int16_t>(events), .revents = 0};
    const int ready = poll(&waiting, 1, deadline.left_ms());
    if (ready > 0) return {};
    if (ready < 0 && errno == EINTR) continue;
    return {Code::kDeadlineExceeded,
            fmt::format("it gave no answer within {}", FormatDuration(deadline.wait()))};
  }
}

Status LineProcess::Write(std::string_view text, const Deadline& deadline) {
  while (!text.empty()) {
    const ssize_t sent = send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
      text.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN) {
      BERTH_RETURN_IF_ERROR(WaitFor(POLLOUT, deadline));
    } else if (errno != EINTR) {
      return Ended();
    }
  }
  return {};
}

Status LineProcess::ReadMore(const Deadline& deadline) {
  for (;;) {
    BERTH_RETURN_IF_ERROR(WaitFor(POLLIN, deadline));
    char bytes[4096];
    const ssize_t got = recv(socket_, bytes, sizeof bytes, 0);
    if (got > 0) {
      unread_.append(bytes, static_cast<std::size_t>(got));
      return {};
    }
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    return Ended();
  }
}

Result<std::string> LineProcess::Ask(std::string_view line, Duration wait) {
  Result<std::string> answer = AskOnce(line, wait);
  broken_ = !answer.ok();
  return answer;
}

Result<std::string> LineProcess::AskOnce(std::string_view line, Duration wait) {
  if (reaped_) return Ended();
  if (!unread_.empty()) return Status(Code::kInvalidArgument, "it answered what nobody asked");
  const Deadline deadline(wait);
  BERTH_RETURN_IF_ERROR(Write(std::string(line) + '\n', deadline));
  std::size_t end = std::string::npos;
  while (end == std::string::npos) {
    const std::size_t seen = unread_.size();
    BERTH_RETURN_IF_ERROR(ReadMore(deadline));
    end = unread_.find('\n', seen);
    if (std::min(end, unread_.size()) > kAnswerBytesMax) {
      return Status(Code::kInvalidArgument,
                    fmt::format("it answered with more than {} bytes in a line", kAnswerBytesMax));
    }
  }
  std::string answer = unread_.substr(0, end);
  unread_.erase(0, end + 1);
  return answer;
}

}  // namespace berth
