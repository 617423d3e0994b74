// What handlers share.
#pragma once

#include <string>

#include "berth/engine.h"
#include "fleet/inventory.h"
#include "serve/handlers.h"
#include "serve/messages.h"
#include "serve/page.h"

namespace berth {

#define BERTH_HANDLERS(file, add) void add(HandlerTable& table);
#include "serve/handlers/handlers.def"
#undef BERTH_HANDLERS

Status CheckPolicySize(const std::string& text);
Status CheckKey(const std::string& idempotency_key);

// Submits what a call asks for and answers with what came of it.
void SubmitAndAnswer(Zone& zone, Action what, const std::string& idempotency_key,
                     const Respond<v1::Outcome>& respond);

}  // namespace berth
