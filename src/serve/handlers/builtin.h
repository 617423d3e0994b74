// What handlers share.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "berth/engine.h"
#include "fleet/inventory.h"
#include "serve/handlers.h"
#include "serve/messages.h"

namespace berth {

#define BERTH_HANDLERS(file, add) void add(HandlerTable& table);
#include "serve/handlers/handlers.def"
#undef BERTH_HANDLERS

inline constexpr std::size_t kKeyLengthMax = 256;

inline constexpr std::size_t kPolicyBytesMax = std::size_t{1} << 20;
inline Status CheckPolicySize(const std::string& text) {
  if (text.size() <= kPolicyBytesMax) return {};
  return {Code::kInvalidArgument,
          fmt::format("text is {} bytes long, and {} is the most", text.size(), kPolicyBytesMax)};
}

// Submits what a call asks for and answers with what came of it.
inline void SubmitAndAnswer(Zone& zone, Action what, const std::string& idempotency_key,
                            Respond<v1::Outcome> respond) {
  if (idempotency_key.size() > kKeyLengthMax) {
    return respond(Status(Code::kInvalidArgument,
                          fmt::format("idempotency_key is {} bytes long, and {} is the most",
                                      idempotency_key.size(), kKeyLengthMax)));
  }
  zone.engine().Submit({.what = std::move(what), .idempotency_key = idempotency_key},
                       [respond = std::move(respond)](const Reply& reply) {
                         if (!reply.status.ok()) return respond(reply.status);
                         v1::Outcome outcome;
                         ToMessage(reply, outcome);
                         respond(std::move(outcome));
                       });
}

// A page of a list: begins at the slot that its token names.
class Page {
 public:
  static constexpr std::uint32_t kSizeMax = 1000;
  static constexpr std::uint32_t kSizeOtherwise = 100;

  static Result<Page> Of(std::uint32_t size, const std::string& token) {
    Page page;
    page.size_ = size == 0 ? kSizeOtherwise : size;
    if (page.size_ > kSizeMax) {
      return Status(Code::kInvalidArgument,
                    fmt::format("page_size is {}, and {} is the most", size, kSizeMax));
    }
    if (token.empty()) return page;
    const auto [end, error] =
        std::from_chars(token.data(), token.data() + token.size(), page.begin_);
    if (error != std::errc() || end != token.data() + token.size()) {
      return Status(Code::kInvalidArgument,
                    fmt::format("page_token {} is not one that a list gave; leave it out to begin "
                                "anew",
                                Quoted(token)));
    }
    return page;
  }

  // Walks slots from where it begins, while the page is not full: `add` says whether it took one.
  // The token of the next page; empty: there is none.
  template <typename Slots, typename Add>
  std::string Walk(const Slots& slots, Add add) const {
    std::uint32_t taken = 0;
    for (std::uint64_t i = begin_; i < slots.size(); ++i) {
      if (taken == size_) return std::to_string(i);
      if (add(slots[i])) ++taken;
    }
    return {};
  }
  std::uint64_t begin() const { return begin_; }
  std::uint32_t size() const { return size_; }

 private:
  std::uint64_t begin_ = 0;
  std::uint32_t size_ = 0;
};

}  // namespace berth
