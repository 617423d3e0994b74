// bench_oversub: what the probability of a violation costs, and how true it is. Whole, or the parts
// that are named.
#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "bench/oversub/suites.h"

namespace {

struct Part {
  std::string_view name;
  void (*run)(bool full);
};
constexpr std::array kParts = {Part{"placement", berth::RunPlacement},
                               Part{"fleet", berth::RunFleet},
                               Part{"fit", berth::RunFit},
                               Part{"balance", berth::RunBalance},
                               Part{"allocator", berth::RunAllocator},
                               Part{"rehearsal", berth::RunRehearsal}};

}  // namespace

int main(int argc, char** argv) {
  std::span<char* const> named(argv + 1, static_cast<std::size_t>(argc - 1));
  const bool full = !named.empty() && std::string_view(named.front()) == "--full";
  if (full) named = named.subspan(1);
  for (const Part& part : kParts) {
    if (named.empty() || std::ranges::count(named, part.name) > 0) part.run(full);
  }
  return 0;
}
