#include "sim/digest.h"

namespace berth {

void Digest::Add(std::uint64_t number) {
  for (int byte = 0; byte < 8; ++byte) {
    hash_ ^= (number >> (8 * byte)) & 0xff;
    hash_ *= 0x100000001b3ULL;
  }
}

void Digest::Add(std::string_view text) {
  Add(text.size());
  for (const char c : text) {
    hash_ ^= static_cast<unsigned char>(c);
    hash_ *= 0x100000001b3ULL;
  }
}

void Digest::Add(const Decision& decision) {
  Add(decision.id.agent);
  Add(decision.id.sequence);
  Add(static_cast<std::uint64_t>(decision.kind));
  Add(decision.subject);
  Add(static_cast<std::uint64_t>(ToMicros(decision.at)));
  for (const Placement& placement : decision.placed) {
    Add(placement.instance);
    Add(placement.machine.str());
  }
  if (decision.refusal) Add(decision.refusal->rule.str());
}

}  // namespace berth
