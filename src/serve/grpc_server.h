// The API over gRPC: every call of the proto, without code for any of them.
#pragma once

#include <cstdint>
#include <memory>

#include "serve/api.h"
#include "serve/listen.h"

namespace berth {

class GrpcServer {
 public:
  virtual ~GrpcServer() = default;  // Cuts off what is not answered.
  virtual std::uint16_t port() const = 0;
  // No new calls; waits a while for those that run.
  virtual void Stop(Duration at_most) = 0;
};

Result<std::unique_ptr<GrpcServer>> StartGrpcServer(Api& api, const Address& address,
                                                    const TlsKeys& tls);

}  // namespace berth
