#include "serve/handlers/builtin.h"

namespace berth {

void AddCallerHandlers(HandlerTable& table) {
  table.emplace("GetCaller",
                [](Zone& /*zone*/, const Caller& caller,
                   const google::protobuf::Message& /*request*/, const HandlerAnswer& answer) {
                  v1::CallerReply reply;
                  reply.set_name(caller.name);
                  reply.set_role(InWords(caller.may));
                  answer(Status(), &reply);
                });
}

}  // namespace berth
