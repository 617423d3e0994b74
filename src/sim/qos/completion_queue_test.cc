#include "sim/qos/completion_queue.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "berth/rng.h"

namespace berth {
namespace {

TEST(CompletionQueue, GivesThemInOrderWhateverIsPutAndRemoved) {
  Rng rng(5);
  CompletionQueue queue;
  std::set<std::pair<Time, std::uint32_t>> reference;
  std::vector<Time> at(200);
  std::vector<bool> in(200, false);
  for (int i = 0; i < 20'000; ++i) {
    const auto request = static_cast<std::uint32_t>(rng.Below(200));
    if (in[request]) {
      queue.Remove(RequestIndex{request});
      reference.erase({at[request], request});
      in[request] = false;
    } else {
      // Few times, so that many are equal.
      at[request] = Time(Duration(rng.Below(100)));
      queue.Put(RequestIndex{request}, at[request]);
      reference.emplace(at[request], request);
      in[request] = true;
    }
    ASSERT_EQ(queue.empty(), reference.empty()) << i;
    if (reference.empty() || rng.Below(3) != 0) continue;
    const auto [next_at, next] = *reference.begin();
    ASSERT_EQ(queue.NextAt(), next_at) << i;
    ASSERT_EQ(queue.Pop(), RequestIndex{next}) << i;
    reference.erase(reference.begin());
    in[next] = false;
  }
}

}  // namespace
}  // namespace berth
