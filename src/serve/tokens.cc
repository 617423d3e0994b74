#include "serve/tokens.h"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/sha.h>

#include "base/document.h"
#include "base/fields.h"
#include "base/text.h"

namespace berth {
namespace {

constexpr std::size_t kTokenLengthMin = 16;
constexpr std::size_t kTokenLengthMax = 512;
constexpr std::size_t kTokensMax = 10'000;

// Of equal length whatever the token's, so that comparing tells nothing about it.
std::string Digest(std::string_view token) {
  std::string digest(SHA256_DIGEST_LENGTH, '\0');
  SHA256(reinterpret_cast<const unsigned char*>(token.data()), token.size(),
         reinterpret_cast<unsigned char*>(digest.data()));
  return digest;
}

Result<v1::Role> ReadRole(const Node& node) {
  BERTH_TRY(const std::string_view text, node.Text());
  if (text == "read") return v1::READ;
  if (text == "allocate") return v1::ALLOCATE;
  if (text == "operate") return v1::OPERATE;
  return node.Error(fmt::format("{} is no role; write read, allocate or operate", Quoted(text)));
}

}  // namespace

Result<Tokens> Tokens::Parse(std::string_view text, const std::string& file_name) {
  BERTH_TRY(const Document document, ParseDocument(text, file_name));
  Fields file(document.root());
  const std::vector<Node> items = file.Items("tokens");
  BERTH_RETURN_IF_ERROR(file.Finish());
  Tokens tokens;
  if (items.empty() || items.size() > kTokensMax) {
    return document.root().Error(
        fmt::format("has {} tokens; give 1 to {}", items.size(), kTokensMax));
  }
  for (const Node& item : items) {
    Fields fields(item);
    Caller caller{.name = std::string(fields.Name("name")), .may = v1::READ};
    const std::optional<Node> role = fields.Required("role");
    const std::string token(fields.Text("token", ""));
    BERTH_RETURN_IF_ERROR(fields.Finish());
    BERTH_TRY(caller.may, ReadRole(*role));
    if (token.size() < kTokenLengthMin || token.size() > kTokenLengthMax) {
      return item.Error(
          fmt::format("has a token of {} characters; give {} to {}, for example "
                      "from 'openssl rand -hex 32'",
                      token.size(), kTokenLengthMin, kTokenLengthMax));
    }
    const std::string digest = Digest(token);
    for (const Held& held : tokens.held_) {
      if (held.digest != digest) continue;
      return item.Error(
          fmt::format("{} has the token of {}; give each its own", caller.name, held.caller.name));
    }
    tokens.held_.push_back({digest, std::move(caller)});
  }
  return tokens;
}

Result<Tokens> Tokens::Read(const std::string& file) {
  BERTH_TRY(const std::string text, ReadText(file));
  return Parse(text, file);
}

Result<Caller> Tokens::Find(std::string_view authorization) const {
  if (held_.empty()) return Caller();
  constexpr std::string_view kScheme = "Bearer ";
  if (authorization.empty()) return Caller{.name = "anyone", .may = v1::ROLE_NONE};
  if (!authorization.starts_with(kScheme)) {
    return Status(Code::kUnauthenticated,
                  "the authorization header is not 'Bearer TOKEN'; send one from the tokens file");
  }
  const std::string digest = Digest(authorization.substr(kScheme.size()));
  const Held* found = nullptr;
  for (const Held& held : held_) {
    if (CRYPTO_memcmp(held.digest.data(), digest.data(), digest.size()) == 0) found = &held;
  }
  if (found == nullptr) {
    return Status(Code::kUnauthenticated, "this token is not known here; ask who runs the server");
  }
  return found->caller;
}

}  // namespace berth
