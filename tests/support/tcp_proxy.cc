#include "support/tcp_proxy.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "berth/check.h"

namespace berth::testing {
namespace {

constexpr int kPollMs = 5;

sockaddr_in Loopback(int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

sockaddr* Plain(sockaddr_in& address) {
  return reinterpret_cast<sockaddr*>(&address);  // NOLINT: as sockets are addressed.
}

bool WriteAll(int fd, const char* bytes, ssize_t size) {
  while (size > 0) {
    const ssize_t written = send(fd, bytes, static_cast<std::size_t>(size), MSG_NOSIGNAL);
    if (written <= 0) return false;
    bytes += written;
    size -= written;
  }
  return true;
}

}  // namespace

TcpProxy::TcpProxy(int server_port) : server_port_(server_port) {
  listening_ = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = Loopback(0);
  socklen_t size = sizeof(address);
  BERTH_CHECK(bind(listening_, Plain(address), size) == 0 && listen(listening_, 64) == 0);
  BERTH_CHECK(getsockname(listening_, Plain(address), &size) == 0);
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { Run(); });
}

TcpProxy::~TcpProxy() {
  stopped_.store(true);
  thread_.join();
  for (const Pair& pair : pairs_) {
    close(pair.client);
    close(pair.server);
  }
  close(listening_);
}

void TcpProxy::Set(Mode mode) {
  mode_.store(mode);
  while (applied_.load() != mode) std::this_thread::yield();
}

void TcpProxy::Accept() {
  const Pair pair = {.client = accept(listening_, nullptr, nullptr),
                     .server = socket(AF_INET, SOCK_STREAM, 0)};
  sockaddr_in address = Loopback(server_port_);
  if (connect(pair.server, Plain(address), sizeof(address)) == 0) {
    pairs_.push_back(pair);
    return;
  }
  close(pair.client);
  close(pair.server);
}

bool TcpProxy::Forward(const Pair& pair, bool from_client) {
  std::array<char, 65536> bytes;
  const ssize_t got = read(from_client ? pair.client : pair.server, bytes.data(), bytes.size());
  if (got <= 0) return false;
  if (!from_client && mode_.load() == Mode::kDeaf) return true;
  return WriteAll(from_client ? pair.server : pair.client, bytes.data(), got);
}

void TcpProxy::Run() {
  while (!stopped_.load()) {
    std::vector<pollfd> polled = {{.fd = listening_, .events = POLLIN, .revents = 0}};
    for (const Pair& pair : pairs_) {
      polled.push_back({.fd = pair.client, .events = POLLIN, .revents = 0});
      polled.push_back({.fd = pair.server, .events = POLLIN, .revents = 0});
    }
    poll(polled.data(), polled.size(), kPollMs);
    const Mode mode = mode_.load();
    const bool shut = mode == Mode::kShut;
    std::vector<Pair> open;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      bool alive = !shut;
      if (alive && polled[1 + 2 * i].revents != 0) alive = Forward(pairs_[i], true);
      if (alive && polled[2 + 2 * i].revents != 0) alive = Forward(pairs_[i], false);
      if (alive) {
        open.push_back(pairs_[i]);
      } else {
        close(pairs_[i].client);
        close(pairs_[i].server);
      }
    }
    pairs_ = std::move(open);
    applied_.store(mode);
    if (polled[0].revents != 0 && !shut) Accept();
    if (polled[0].revents != 0 && shut) close(accept(listening_, nullptr, nullptr));
  }
}

}  // namespace berth::testing
