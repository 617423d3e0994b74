#include <gtest/gtest.h>

#include <algorithm>

#include "qos/allocation_score.h"
#include "qos/kind_scheduler.h"
#include "qos/worlds_testing.h"

namespace berth {
namespace {

// Section 4.1.2, slow and obvious.
class PlainPriorityScheduler final : public Scheduler {
 public:
  PlainPriorityScheduler(SchedulerOptions options, const HostFilter& filter)
      : Scheduler(std::move(options), filter) {}

 private:
  struct Candidate {
    std::vector<int> yielding;  // Of each rank.
    std::int64_t shortfall = 0;
    HostIndex host{};
    std::vector<Victim> victims;
    auto Cost() const { return std::tuple(!victims.empty(), yielding, shortfall, host); }
  };

  std::pair<std::uint32_t, std::uint64_t> Turn(RequestIndex request) const {
    return {TermsOf(requests()[request].want).rank, requests()[request].order};
  }

  std::optional<Offer> FindFor(RequestIndex request, HostIndex home, Time now) override {
    std::optional<Candidate> best = Cheapest(request, now);
    if (!best || !best->victims.empty()) {
      if (std::optional<Candidate> stays = MakeRoom(request, home, now)) best = std::move(stays);
    }
    if (!best) return std::nullopt;
    return Offer{best->host, best->victims};
  }

  void Decide(Time now) override {
    std::vector<RequestIndex> queue;
    for (std::uint32_t i = 0; i < requests().size(); ++i) {
      const RequestAccount& account = requests()[RequestIndex{i}];
      if (account.alive && !account.placed) queue.push_back(RequestIndex{i});
    }
    std::ranges::sort(queue, {}, [&](RequestIndex request) { return Turn(request); });
    for (const RequestIndex request : queue) {
      const std::optional<Candidate> best = Cheapest(request, now);
      if (best) Place(request, best->host, best->victims, now);
    }
  }

  std::optional<Candidate> Cheapest(RequestIndex request, Time now) const {
    std::optional<Candidate> best;
    for (std::uint32_t i = 0; i < hosts(); ++i) {
      if (!MayRun(requests()[request].want, HostIndex{i})) continue;
      std::optional<Candidate> candidate = MakeRoom(request, HostIndex{i}, now);
      if (candidate && (!best || candidate->Cost() < best->Cost())) best = candidate;
    }
    return best;
  }

  std::optional<Candidate> MakeRoom(RequestIndex request, HostIndex index, Time now) const {
    const Want& want = requests()[request].want;
    Candidate candidate;
    candidate.yielding.assign(ranks(), 0);
    candidate.host = index;
    std::vector<RequestIndex> running = host(index).running;
    std::ranges::sort(running, std::greater<>(), [&](RequestIndex r) { return Turn(r); });
    Resources free = host(index).free;
    for (const RequestIndex victim : running) {
      if (want.demand.FitsIn(free) || Turn(victim).first <= TermsOf(want).rank) break;
      candidate.victims.push_back({victim, LeewayOf(victim, now)});
      ++candidate.yielding[Turn(victim).first];
      free += requests()[victim].want.demand;
    }
    if (!want.demand.FitsIn(free)) return std::nullopt;
    const Resources& capacity = host(index).capacity;
    candidate.shortfall = ScoreShortfall(FillOf(capacity - free + want.demand, capacity));
    return candidate;
  }
};

TEST(PriorityScheduler, DecidesAsThePlainOne) {
  const testing::ForbidsHosts filter;
  std::size_t preempted = 0;
  std::size_t made_room = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Rng rng(seed);
    const SchedulerOptions options{.classes = testing::RandomClasses(rng), .allocation_time = {}};
    PlainPriorityScheduler plain(options, filter);
    const auto fast = NewPriorityScheduler(options, filter);
    testing::World world(rng.Fork("world"), {&plain, fast.get()});
    for (int step = 0; step < 30; ++step) {
      world.Step();
      const std::string expected = world.Pass(0);
      ASSERT_EQ(world.Pass(1), expected) << "seed " << seed << ", step " << step;
      const std::string grown = world.GrowOne();
      ASSERT_NE(grown, "differ") << "seed " << seed << ", step " << step;
      if (grown.find(' ') != std::string::npos) ++made_room;
    }
    for (std::uint32_t i = 0; i < plain.requests().size(); ++i)
      preempted += plain.requests()[RequestIndex{i}].preemptions;
  }
  EXPECT_GT(preempted, 500U);
  EXPECT_GT(made_room, 200U);
}

}  // namespace
}  // namespace berth
