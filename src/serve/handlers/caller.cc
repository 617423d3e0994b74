#include "serve/handlers/builtin.h"

namespace berth {
namespace {

void GetCaller(Zone& /*zone*/, const CallOptions& options, const v1::GetCallerRequest& /*request*/,
               const Respond<v1::CallerReply>& respond) {
  v1::CallerReply reply;
  reply.set_name(options.caller.name);
  reply.set_role(InWords(options.caller.may));
  respond(std::move(reply));
}

}  // namespace

void AddCallerHandlers(HandlerTable& table) { AddHandler(table, "GetCaller", GetCaller); }

}  // namespace berth
