// bench_allocate: what placements cost, and how well they fill.
#include <string_view>

#include "bench/allocate/suites.h"

int main(int argc, char** argv) {
  const bool full = argc > 1 && std::string_view(argv[1]) == "--full";
  berth::RunFromScratch(full);
  berth::RunCached(full);
  berth::RunDensity(full);
  return 0;
}
