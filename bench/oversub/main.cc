// bench_oversub: what the probability of a violation costs, and how true it is.
#include <string_view>

#include "bench/oversub/suites.h"

int main(int argc, char** argv) {
  const bool full = argc > 1 && std::string_view(argv[1]) == "--full";
  berth::RunPlacement(full);
  berth::RunFleet(full);
  berth::RunFit(full);
  berth::RunBalance(full);
  berth::RunAllocator(full);
  berth::RunRehearsal(full);
  return 0;
}
