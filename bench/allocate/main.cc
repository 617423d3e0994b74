// bench_allocate: what placements cost.
#include <string_view>

#include "bench/allocate/suites.h"

int main(int argc, char** argv) {
  const bool full = argc > 1 && std::string_view(argv[1]) == "--full";
  berth::RunFromScratch(full);
  berth::RunCached(full);
  return 0;
}
