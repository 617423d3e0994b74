#include "base/large_vector.h"

#include <sys/mman.h>

namespace berth {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
// Below so many, what is lost at the end of the last page is too much.
constexpr std::size_t kHugePagesMin = 2;

std::size_t WholePages(std::size_t bytes) {
  return (bytes + kHugePage - 1) / kHugePage * kHugePage;
}

}  // namespace

void* AllocateLarge(std::size_t bytes) {
  if (bytes < kHugePagesMin * kHugePage) return ::operator new(bytes);
  void* memory = ::operator new (WholePages(bytes), std::align_val_t{kHugePage});
  madvise(memory, WholePages(bytes), MADV_HUGEPAGE);
  return memory;
}

void FreeLarge(void* memory, std::size_t bytes) {
  if (bytes < kHugePagesMin * kHugePage) return ::operator delete(memory);
  ::operator delete (memory, std::align_val_t{kHugePage});
}

}  // namespace berth
