// The API over HTTP/JSON, with server-sent events for what streams.
#pragma once

#include <cstdint>
#include <memory>

#include "serve/api.h"
#include "serve/listen.h"
#include "serve/tokens.h"

namespace berth {

class HttpServer {
 public:
  virtual ~HttpServer() = default;  // Cuts off what is not answered.
  virtual std::uint16_t port() const = 0;
};

Result<std::unique_ptr<HttpServer>> StartHttpServer(Api& api, Metrics& metrics,
                                                    const Tokens& tokens, const Address& address,
                                                    const TlsKeys& tls);

}  // namespace berth
