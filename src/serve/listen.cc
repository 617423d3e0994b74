#include "serve/listen.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace berth {

Result<Address> Address::Parse(std::string_view text) {
  const Status wrong(Code::kInvalidArgument,
                     fmt::format("{} is no address to listen on; write one like 127.0.0.1:7400 or "
                                 "[::1]:7400",
                                 Quoted(text)));
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return wrong;
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  const Parsed<std::int64_t> port = ParseInteger(text.substr(colon + 1));
  if (port.error != std::errc() || port.value < 0 || port.value > UINT16_MAX) return wrong;
  Address address{std::string(host), static_cast<std::uint16_t>(port.value)};
  in_addr four{};
  in6_addr six{};
  if (inet_pton(AF_INET, address.host.c_str(), &four) != 1 &&
      inet_pton(AF_INET6, address.host.c_str(), &six) != 1) {
    return wrong;
  }
  return address;
}

bool Address::IsLoopback() const { return host.starts_with("127.") || host == "::1"; }

bool NamesLoopback(std::string_view host) {
  const bool with_port = host.rfind(':') != std::string_view::npos && !host.ends_with(']');
  const std::string_view name = with_port ? host.substr(0, host.rfind(':')) : host;
  const std::string_view port = with_port ? host.substr(name.size() + 1) : "0";
  constexpr std::string_view kLocalhost = "localhost";
  const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
  const bool by_name = std::ranges::equal(name, kLocalhost, same);
  const Result<Address> address =
      Address::Parse(fmt::format("{}:{}", by_name ? "127.0.0.1" : name, port));
  // Without its brackets an address of version 6 looks like one with a port.
  const bool bracketed = name.starts_with('[') == (name.find(':') != std::string_view::npos);
  return address.ok() && address.value().IsLoopback() && bracketed;
}

std::string Address::str() const {
  return host.find(':') == std::string::npos ? fmt::format("{}:{}", host, port)
                                             : fmt::format("[{}]:{}", host, port);
}

}  // namespace berth
