// bench_qos: what deciding who yields costs, on a generated trace and in a single pass.
#include <string_view>

#include "bench/qos/suites.h"

int main(int argc, char** argv) {
  const bool full = argc > 1 && std::string_view(argv[1]) == "--full";
  // First, so that the process's peak of memory is the trace's.
  berth::RunTrace(full);
  berth::RunPass();
  berth::RunLive();
  berth::RunAgainstPlain(full);
  return 0;
}
