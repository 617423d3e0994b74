#include "usage/http_post.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <memory>

#include "base/text.h"

namespace berth {
namespace {

struct CurlCleaner {
  void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

struct Received {
  std::string body;
  std::size_t most = 0;
};

// What curl calls long.
static_assert(sizeof(std::int64_t) == sizeof(decltype(1L)));

std::size_t Receive(char* bytes, std::size_t size, std::size_t count, void* to) {
  auto& received = *static_cast<Received*>(to);
  if (received.body.size() + size * count > received.most) return 0;  // Which ends it.
  received.body.append(bytes, size * count);
  return size * count;
}

// Once, before the first use by any thread.
void StartCurl() {
  static const CURLcode kStarted = curl_global_init(CURL_GLOBAL_DEFAULT);
  static_cast<void>(kStarted);
}

}  // namespace

Result<HttpAnswer> Post(const HttpPost& post) {
  StartCurl();
  const std::unique_ptr<CURL, CurlCleaner> curl(curl_easy_init());
  if (!curl) return Status(Code::kResourceExhausted, "there is no memory for a request");
  Received received{.body = {}, .most = post.answer_bytes_max};
  const std::string authorization = "Authorization: Bearer " + post.token;
  const std::unique_ptr<curl_slist, CurlCleaner> headers(
      post.token.empty() ? nullptr : curl_slist_append(nullptr, authorization.c_str()));
  char trouble[CURL_ERROR_SIZE] = "";
  curl_easy_setopt(curl.get(), CURLOPT_URL, post.url.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDS, post.form.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_POSTFIELDSIZE, static_cast<std::int64_t>(post.form.size()));
  curl_easy_setopt(curl.get(), CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(curl.get(), CURLOPT_ACCEPT_ENCODING, "");
  curl_easy_setopt(curl.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_ERRORBUFFER, static_cast<char*>(trouble));
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, &Receive);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &received);
  curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT_MS,
                   static_cast<std::int64_t>(
                       std::chrono::duration_cast<std::chrono::milliseconds>(post.wait).count()));
  if (!post.ca.empty()) curl_easy_setopt(curl.get(), CURLOPT_CAINFO, post.ca.c_str());
  const CURLcode done = curl_easy_perform(curl.get());
  HttpAnswer answer;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &answer.code);
  if (done == CURLE_WRITE_ERROR) {
    return Status(Code::kResourceExhausted,
                  fmt::format("{} answers with more than {} bytes", post.url,
                              FormatCount(post.answer_bytes_max)));
  }
  if (done != CURLE_OK) {
    return Status(Code::kUnavailable,
                  fmt::format("{}: {}", post.url,
                              trouble[0] != '\0' ? static_cast<const char*>(trouble)
                                                 : curl_easy_strerror(done)));
  }
  answer.body = std::move(received.body);
  return answer;
}

std::string FormField(const std::string& key, const std::string& value) {
  StartCurl();
  const std::unique_ptr<char, void (*)(void*)> escaped(
      curl_easy_escape(nullptr, value.c_str(), static_cast<int>(value.size())), &curl_free);
  return fmt::format("{}={}", key, escaped.get());
}

}  // namespace berth
