#include "serve/handlers.h"

namespace berth {

#define BERTH_HANDLERS(file, add) void add(HandlerTable& table);
#include "serve/handlers/handlers.def"
#undef BERTH_HANDLERS

HandlerTable AllHandlers() {
  HandlerTable table;
#define BERTH_HANDLERS(file, add) add(table);
#include "serve/handlers/handlers.def"
#undef BERTH_HANDLERS
  return table;
}

}  // namespace berth
