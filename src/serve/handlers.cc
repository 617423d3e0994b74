#include "serve/handlers.h"

#include <fmt/format.h>

#include <utility>

#include "serve/handlers/builtin.h"

namespace berth {
namespace {

constexpr std::size_t kKeyLengthMax = 256;
constexpr std::size_t kPolicyBytesMax = std::size_t{1} << 20;

}  // namespace

HandlerTable AllHandlers() {
  HandlerTable table;
#define BERTH_HANDLERS(file, add) add(table);
#include "serve/handlers/handlers.def"
#undef BERTH_HANDLERS
  return table;
}

Status CheckPolicySize(const std::string& text) {
  if (text.size() <= kPolicyBytesMax) return {};
  return {Code::kInvalidArgument,
          fmt::format("text is {} bytes long, and {} is the most", text.size(), kPolicyBytesMax)};
}

Status CheckKey(const std::string& idempotency_key) {
  if (idempotency_key.size() <= kKeyLengthMax) return {};
  return {Code::kInvalidArgument,
          fmt::format("idempotency_key is {} bytes long, and {} is the most",
                      idempotency_key.size(), kKeyLengthMax)};
}

void SubmitAndAnswer(Zone& zone, Action what, const std::string& idempotency_key,
                     const Respond<v1::Outcome>& respond) {
  if (const Status status = CheckKey(idempotency_key); !status.ok()) return respond(status);
  zone.engine().Submit({.what = std::move(what), .idempotency_key = idempotency_key},
                       [respond](const Reply& reply) {
                         if (!reply.status.ok()) return respond(reply.status);
                         v1::Outcome outcome;
                         ToMessage(reply, outcome);
                         respond(std::move(outcome));
                       });
}

}  // namespace berth
