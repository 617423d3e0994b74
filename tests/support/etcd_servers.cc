#include "support/etcd_servers.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <grpcpp/grpcpp.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "berth/check.h"
#include "etcd.grpc.pb.h"

namespace berth::testing {
namespace {

constexpr int kReadyTriesMax = 3000;
constexpr useconds_t kReadyPauseUs = 10'000;

int FreePort() {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* any = reinterpret_cast<sockaddr*>(&address);  // NOLINT: as sockets are addressed.
  BERTH_CHECK(bind(fd, any, size) == 0 && getsockname(fd, any, &size) == 0);
  close(fd);
  return ntohs(address.sin_port);
}

std::string Url(int port) { return fmt::format("http://127.0.0.1:{}", port); }

std::shared_ptr<grpc::Channel> ChannelTo(int port) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // No memory of failed connections.
  return grpc::CreateCustomChannel(fmt::format("127.0.0.1:{}", port),
                                   grpc::InsecureChannelCredentials(), arguments);
}

// Who leads, if the member runs and knows; and whether it is that one.
std::optional<bool> Leads(int port) {
  const auto stub = etcdserverpb::Maintenance::NewStub(ChannelTo(port));
  grpc::ClientContext context;
  context.set_deadline(
      gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_millis(500, GPR_TIMESPAN)));
  etcdserverpb::StatusResponse status;
  if (!stub->Status(&context, {}, &status).ok() || status.leader() == 0) return std::nullopt;
  return status.leader() == status.header().member_id();
}

pid_t Spawn(const std::vector<std::string>& command, const std::string& log) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  BERTH_CHECK(pid >= 0);
  if (pid > 0) return pid;
  // Not left behind when the test dies.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  const int out = open(log.c_str(), O_CREAT | O_APPEND | O_WRONLY, 0644);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

}  // namespace

EtcdServers::EtcdServers(const std::filesystem::path& below, Options options)
    : folder_(below), options_(std::move(options)) {
  for (std::size_t i = 0; i < options_.members; ++i) {
    members_.push_back({.name = fmt::format("m{}", i),
                        .client_port = FreePort(),
                        .peer_port = FreePort(),
                        .pid = 0});
  }
  for (std::size_t i = 0; i < members_.size(); ++i) Start(i);
  static_cast<void>(leader());
}

EtcdServers::~EtcdServers() {
  for (std::size_t i = 0; i < members_.size(); ++i) Kill(i);
}

std::vector<std::string> EtcdServers::CommandLine(const Member& member) const {
  std::vector<std::string> cluster;
  for (const Member& each : members_) {
    cluster.push_back(fmt::format("{}={}", each.name, Url(each.peer_port)));
  }
  std::vector<std::string> words = {
      "etcd", "--name=" + member.name, "--data-dir=" + folder_.File(member.name),
      "--listen-client-urls=" + Url(member.client_port),
      "--advertise-client-urls=" + Url(member.client_port),
      "--listen-peer-urls=" + Url(member.peer_port),
      "--initial-advertise-peer-urls=" + Url(member.peer_port),
      fmt::format("--initial-cluster={}", fmt::join(cluster, ",")),
      // A leader that is gone is missed soon, and the first one is there soon.
      "--heartbeat-interval=50", "--election-timeout=500", "--log-level=error"};
  if (!options_.sync) words.emplace_back("--unsafe-no-fsync");
  words.insert(words.end(), options_.flags.begin(), options_.flags.end());
  return words;
}

void EtcdServers::Start(std::size_t member) {
  BERTH_CHECK(members_[member].pid == 0);
  members_[member].pid =
      Spawn(CommandLine(members_[member]), folder_.File(members_[member].name + ".log"));
}

void EtcdServers::Kill(std::size_t member) {
  const pid_t pid = std::exchange(members_[member].pid, 0);
  if (pid == 0) return;
  kill(pid, SIGKILL);
  int status = 0;
  BERTH_CHECK(waitpid(pid, &status, 0) == pid);
}

void EtcdServers::Freeze(std::size_t member) {
  kill(members_[member].pid, SIGSTOP);
  int status = 0;
  BERTH_CHECK(waitpid(members_[member].pid, &status, WUNTRACED) == members_[member].pid);
}
void EtcdServers::Thaw(std::size_t member) { kill(members_[member].pid, SIGCONT); }

std::string EtcdServers::endpoints() const {
  std::vector<std::string> all;
  for (const Member& member : members_) {
    all.push_back(fmt::format("127.0.0.1:{}", member.client_port));
  }
  return fmt::format("{}", fmt::join(all, ","));
}

std::size_t EtcdServers::leader() const {
  for (int tries = 0; tries < kReadyTriesMax; ++tries) {
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (members_[i].pid != 0 && Leads(members_[i].client_port).value_or(false)) return i;
    }
    usleep(kReadyPauseUs);
  }
  fmt::print(stderr, "no etcd leader; is etcd-server installed? see {}\n", folder_.path().string());
  BERTH_CHECK(false);
}

void EtcdServers::Compact() {
  const auto stub = etcdserverpb::KV::NewStub(ChannelTo(members_[leader()].client_port));
  grpc::ClientContext read_context;
  etcdserverpb::RangeRequest any;
  any.set_key("any");
  etcdserverpb::RangeResponse now;
  BERTH_CHECK(stub->Range(&read_context, any, &now).ok());
  grpc::ClientContext context;
  etcdserverpb::CompactionRequest request;
  request.set_revision(now.header().revision());
  request.set_physical(true);
  etcdserverpb::CompactionResponse done;
  BERTH_CHECK(stub->Compact(&context, request, &done).ok());
}

}  // namespace berth::testing
