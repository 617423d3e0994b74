// bench_qos: what deciding who yields costs, on a generated trace and in a single pass.
#include <string_view>

#include "bench/qos/suites.h"

int main(int argc, char** argv) {
  const bool full = argc > 1 && std::string_view(argv[1]) == "--full";
  berth::RunAgainstPlain(full);
  berth::RunPass();
  berth::RunLive();
  berth::RunTrace(full);
  return 0;
}
