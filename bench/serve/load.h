// Clients that keep a server busy: so many calls in flight, or so many a second.
#pragma once

#include <cstdint>
#include <string>

namespace berth {

struct CallLoad {
  std::size_t in_flight = 256;
  std::size_t calls = 0;
  double per_second = 0;    // 0: as fast as answers come.
  std::string prefix = {};  // Of the services' names: each call creates one.
};

struct Served {
  double rate = 0;
  double p50_ms = 0;
  double p99_ms = 0;
  std::size_t failed = 0;
};

Served CreateOverGrpc(const std::string& address, const CallLoad& load);
// The cheapest call there is: what gRPC itself takes.
Served HealthOverGrpc(const std::string& address, const CallLoad& load);
Served CreateOverHttp(std::uint16_t port, const CallLoad& load);
Served HealthOverHttp(std::uint16_t port, const CallLoad& load);

}  // namespace berth
