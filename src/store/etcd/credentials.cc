#include "store/etcd/credentials.h"

#include <fmt/format.h>

#include "base/document.h"

namespace berth {
namespace {

constexpr const char* kAuthority = "BERTH_ETCD_CA";
constexpr const char* kCertificate = "BERTH_ETCD_CERT";
constexpr const char* kKey = "BERTH_ETCD_KEY";
constexpr const char* kUser = "BERTH_ETCD_USER";

// The file that a variable names; empty if it names none.
Result<std::string> TextOf(const char* variable, const Environment& environment) {
  const std::string path = environment(variable);
  if (path.empty()) return std::string();
  Result<std::string> text = ReadText(path);
  if (!text.ok()) {
    return Status(text.status().code(), fmt::format("{}: {}", variable, text.status().message()));
  }
  if (text.value().empty()) {
    return Status(Code::kInvalidArgument, fmt::format("{}: {} is empty", variable, path));
  }
  return text;
}

Status ReadUser(const Environment& environment, EtcdCredentials& credentials) {
  BERTH_TRY(std::string text, TextOf(kUser, environment));
  if (text.empty()) return {};
  text.erase(text.find_last_not_of("\r\n") + 1);
  const std::size_t colon = text.find(':');
  const bool one_line = text.find('\n') == std::string::npos;
  if (!one_line || colon == std::string::npos || colon == 0 || colon + 1 == text.size()) {
    return {Code::kInvalidArgument,
            fmt::format("{}: {} is not one line NAME:PASSWORD", kUser, environment(kUser))};
  }
  credentials.user = text.substr(0, colon);
  credentials.password = text.substr(colon + 1);
  return {};
}

}  // namespace

Result<EtcdCredentials> ReadEtcdCredentials(const Environment& environment) {
  EtcdCredentials credentials;
  BERTH_TRY(credentials.authority, TextOf(kAuthority, environment));
  BERTH_TRY(credentials.certificate, TextOf(kCertificate, environment));
  BERTH_TRY(credentials.key, TextOf(kKey, environment));
  BERTH_RETURN_IF_ERROR(ReadUser(environment, credentials));
  if (credentials.certificate.empty() != credentials.key.empty()) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{} and {} go together; set both", kCertificate, kKey));
  }
  const bool secret = !credentials.certificate.empty() || !credentials.user.empty();
  if (secret && credentials.authority.empty()) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{} and {} are for a connection with TLS; set {} too", kCertificate,
                              kUser, kAuthority));
  }
  return credentials;
}

}  // namespace berth
