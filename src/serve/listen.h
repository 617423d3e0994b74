// Where a server listens, and how it proves who it is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "berth/status.h"

namespace berth {

struct Address {
  std::string host;
  std::uint16_t port = 0;  // 0: any free one.

  // 127.0.0.1:7400, [::1]:7400
  static Result<Address> Parse(std::string_view text);
  // Only this machine can reach it.
  bool IsLoopback() const;
  std::string str() const;
};

// Whether a request's header Host, with or without a port, names this machine by what no name
// server decides: an address of loopback, or localhost.
bool NamesLoopback(std::string_view host);

// PEM texts. Empty: no TLS.
struct TlsKeys {
  std::string certificate;
  std::string key;
  std::string client_authority;  // Clients must show a certificate that this one signed.

  bool empty() const { return certificate.empty(); }
};

}  // namespace berth
