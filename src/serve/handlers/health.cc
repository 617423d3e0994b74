#include "serve/handlers/builtin.h"

namespace berth {
namespace {

// It is asked on the thread that decides, so an answer says that this thread is not stuck.
void AnswerHealth(Zone& zone, const v1::HealthRequest& /*request*/,
                  const Respond<v1::HealthReply>& respond) {
  v1::HealthReply reply;
  reply.set_ready(true);
  reply.set_version(BERTH_VERSION);
  reply.set_revision(ToNumber(zone.view().revision()));
  reply.set_store(zone.store_name());
  respond(std::move(reply));
}

}  // namespace

void AddHealthHandlers(HandlerTable& table) { AddHandler(table, "Health", AnswerHealth); }

}  // namespace berth
