#include "store/etcd/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "berth/status.h"

namespace berth {
namespace {

bool IsPort(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && port > 0;
}

// One word, so that the keys of two zones never overlap.
bool IsPrefix(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  });
}

Status Malformed(std::string_view where, std::string_view what) {
  return {Code::kInvalidArgument,
          fmt::format("etcd store '{}': {}; it is written etcd:HOST:PORT[,HOST:PORT...][/PREFIX]",
                      where, what)};
}

}  // namespace

Result<EtcdAddress> ParseEtcdAddress(std::string_view where) {
  EtcdAddress address;
  const std::size_t slash = where.find('/');
  if (slash != std::string_view::npos) {
    address.prefix = std::string(where.substr(slash + 1));
    if (!IsPrefix(address.prefix)) {
      return Malformed(where, fmt::format("the prefix '{}' is not one word of letters, digits, "
                                          "'.', '_' and '-'",
                                          address.prefix));
    }
  }
  std::string_view rest = where.substr(0, slash);
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view endpoint = rest.substr(0, comma);
    const std::size_t colon = endpoint.rfind(':');
    if (colon == std::string_view::npos || colon == 0 || !IsPort(endpoint.substr(colon + 1))) {
      return Malformed(where, fmt::format("'{}' is not HOST:PORT", endpoint));
    }
    address.endpoints.emplace_back(endpoint);
    if (comma == std::string_view::npos) return address;
    rest.remove_prefix(comma + 1);
  }
}

std::string ToString(const EtcdAddress& address) {
  return fmt::format("{}", fmt::join(address.endpoints, ","));
}

}  // namespace berth
