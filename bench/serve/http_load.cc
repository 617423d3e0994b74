#include <fmt/format.h>

#include <asio.hpp>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "bench/serve/latencies.h"

namespace berth {
namespace {

using Compose = std::function<std::string(std::size_t number)>;

// One connection: a call, its answer, the next call.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(asio::io_context& context, std::uint16_t port, Latencies& latencies,
             const Compose& compose)
      : socket_(context), timer_(context), latencies_(latencies), compose_(compose) {
    socket_.connect({asio::ip::address_v4::loopback(), port});
    socket_.set_option(asio::ip::tcp::no_delay(true));
  }

  void Next() {
    if (latencies_.all_sent()) return;
    meant_at_ = latencies_.NextAt();
    text_ = compose_(latencies_.Send());
    timer_.expires_at(meant_at_);
    timer_.async_wait([self = shared_from_this()](const std::error_code& /*error*/) {
      asio::async_write(self->socket_, asio::buffer(self->text_),
                        [self](const std::error_code& error, std::size_t /*written*/) {
                          if (error) return self->Fail();
                          self->ReadHeader();
                        });
    });
  }

 private:
  void ReadHeader() {
    asio::async_read_until(
        socket_, asio::dynamic_buffer(answer_), "\r\n\r\n",
        [self = shared_from_this()](const std::error_code& error, std::size_t header) {
          if (error) return self->Fail();
          const std::string_view head = std::string_view(self->answer_).substr(0, header);
          const std::size_t at = head.find("Content-Length: ");
          const std::size_t body =
              at == std::string_view::npos
                  ? 0
                  : static_cast<std::size_t>(std::stoul(std::string(head.substr(at + 16, 12))));
          self->ok_ = head.starts_with("HTTP/1.1 200");
          self->ReadBody(header + body);
        });
  }

  void ReadBody(std::size_t whole) {
    const std::size_t missing = whole > answer_.size() ? whole - answer_.size() : 0;
    asio::async_read(socket_, asio::dynamic_buffer(answer_), asio::transfer_exactly(missing),
                     [self = shared_from_this(), whole](const std::error_code& error, std::size_t) {
                       if (error) return self->Fail();
                       const bool refused =
                           self->answer_.find("\"accepted\":false") != std::string::npos;
                       self->answer_.erase(0, whole);
                       self->latencies_.Answer(self->meant_at_, self->ok_ && !refused);
                       self->Next();
                     });
  }

  void Fail() { latencies_.Answer(meant_at_, false); }

  asio::ip::tcp::socket socket_;
  asio::steady_timer timer_;
  Latencies& latencies_;
  const Compose& compose_;
  std::string text_;
  std::string answer_;
  bool ok_ = false;
  Latencies::Clock::time_point meant_at_;
};

Served Drive(std::uint16_t port, const CallLoad& load, const Compose& compose) {
  asio::io_context context;
  Latencies latencies(load);
  for (std::size_t i = 0; i < load.in_flight; ++i) {
    std::make_shared<Connection>(context, port, latencies, compose)->Next();
  }
  context.run();
  return latencies.Result();
}

}  // namespace

Served CreateOverHttp(std::uint16_t port, const CallLoad& load) {
  return Drive(port, load, [&](std::size_t number) {
    const std::string name = fmt::format("{}{}", load.prefix, number);
    const std::string body = fmt::format(
        R"({{"service":{{"name":"{0}","tenant":"default","groups":[{{"type":"small","count":1}}]}},)"
        R"("idempotency_key":"{0}"}})",
        name);
    return fmt::format(
        "POST /v1/services HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n{}",
        body.size(), body);
  });
}

Served HealthOverHttp(std::uint16_t port, const CallLoad& load) {
  return Drive(port, load, [](std::size_t /*number*/) {
    return std::string("GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
  });
}

}  // namespace berth
