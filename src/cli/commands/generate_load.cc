#include "sim/scaling/generate_load.h"

#include "cli/commands/builtin.h"

namespace berth {
namespace {

int RunGenerateLoad(const Invocation& given, Console& console) {
  const auto days = given.NumberWithin("--days", 1, 366);
  if (!days.ok()) return console.Fail(days.status());
  GenerateLoad({.days = days.value(), .tenfold = given.Has("--tenfold")}, given.Number("--seed"),
               console.out);
  return kExitOk;
}

}  // namespace

Command GenerateLoadCommand() {
  return {.words = "generate load",
          .summary = "print the load of a service over time, for `berth simulate scaling`",
          .arguments = {},
          .options = {{"--days", "N", "from a Monday on, a row a minute", false, "14"},
                      {"--tenfold", "",
                       "steady, but ten times as much on every second pair of days; a row every "
                       "five minutes"},
                      {"--seed", "N", "of everything that is drawn", false, "1"}},
          .examples = {"berth generate load --days 1"},
          .run = RunGenerateLoad};
}

}  // namespace berth
