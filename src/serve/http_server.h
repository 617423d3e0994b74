// The API over HTTP/JSON, with server-sent events for what streams.
#pragma once

#include <cstdint>
#include <memory>

#include "serve/api.h"
#include "serve/listen.h"

namespace berth {

class HttpServer {
 public:
  virtual ~HttpServer() = default;
  // Cuts off what is not answered; what is answered later goes nowhere.
  virtual void Stop() = 0;
  virtual std::uint16_t port() const = 0;
};

struct HttpListen {
  Address address;
  TlsKeys tls;
  std::size_t connections_max = 4096;  // More wait until one closes.
};
Result<std::unique_ptr<HttpServer>> StartHttpServer(Api& api, Metrics& metrics,
                                                    const HttpListen& listen);

}  // namespace berth
