// Stands between a client and a server and spoils what passes: for tests of answers that never
// arrive.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace berth::testing {

class TcpProxy {
 public:
  enum class Mode : std::uint8_t {
    kOpen,
    kDeaf,  // What the client says arrives; what the server answers does not.
    kShut,  // Connections end, and new ones end at once.
  };

  // To a port of this machine.
  explicit TcpProxy(int server_port);
  ~TcpProxy();
  TcpProxy(const TcpProxy&) = delete;
  TcpProxy& operator=(const TcpProxy&) = delete;

  int port() const { return port_; }
  void Set(Mode mode);  // Returns when it is so.

 private:
  struct Pair {
    int client = -1;
    int server = -1;
  };
  void Run();
  void Accept();
  bool Forward(const Pair& pair, bool from_client);

  const int server_port_;
  int listening_ = -1;
  int port_ = 0;
  std::atomic<Mode> mode_{Mode::kOpen};
  std::atomic<Mode> applied_{Mode::kOpen};
  std::atomic<bool> stopped_{false};
  std::vector<Pair> pairs_;
  std::thread thread_;
};

}  // namespace berth::testing
