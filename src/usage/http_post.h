// One question to a server over HTTP or HTTPS. Waits for the answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "berth/status.h"
#include "berth/time.h"

namespace berth {

struct HttpPost {
  std::string url{};
  std::string form{};   // As a browser would send it: key=value&...
  std::string token{};  // Sent as "Authorization: Bearer ..." if there is one.
  std::string ca{};     // A file of certificates to trust instead of the system's.
  Duration wait = std::chrono::minutes(2);
  std::size_t answer_bytes_max = std::size_t{512} << 20;
};

struct HttpAnswer {
  std::int64_t code = 0;
  std::string body;
};

// Whatever the code; an error is a server that cannot be reached, or an answer that is too large.
Result<HttpAnswer> Post(const HttpPost& post);

// "key=value", escaped for a form.
std::string FormField(const std::string& key, const std::string& value);

}  // namespace berth
