#include "serve/page.h"

#include <fmt/format.h>

#include <charconv>

#include "base/text.h"

namespace berth {

Result<Page> Page::Of(std::uint32_t size, const std::string& token) {
  Page page;
  page.size_ = size == 0 ? kSizeOtherwise : size;
  if (page.size_ > kSizeMax) {
    return Status(Code::kInvalidArgument,
                  fmt::format("page_size is {}, and {} is the most", size, kSizeMax));
  }
  if (token.empty()) return page;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), page.begin_);
  if (error != std::errc() || end != token.data() + token.size()) {
    return Status(Code::kInvalidArgument,
                  fmt::format("page_token {} is not one that a list gave; leave it out to begin "
                              "anew",
                              Quoted(token)));
  }
  return page;
}

}  // namespace berth
