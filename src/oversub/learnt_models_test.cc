#include "oversub/learnt_models.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

// Known by its cpu.
DemandModel ModelOf(std::uint32_t cpu, TenantRole role = TenantRole::kPrimary) {
  DemandTrace trace;
  trace.role = role;
  trace.samples = {{cpu, 10, 20}, {cpu, 12, 20}, {cpu, 12, 24}};
  return FitModel(trace);
}

std::vector<std::uint32_t> CpusOf(const TraceLibrary& library, std::string_view type,
                                  TenantRole role = TenantRole::kPrimary) {
  std::vector<std::uint32_t> cpus;
  for (const DemandModel& model : library.Group(library.ClassNamed(type), role)) {
    cpus.push_back(model.cpu_peak);
  }
  return cpus;
}

using Cpus = std::vector<std::uint32_t>;

TEST(LearntModels, JoinThoseThatWereGiven) {
  const auto given = std::make_shared<const TraceLibrary>(
      TraceLibrary::Build({ModelOf(1), ModelOf(2)}, {"db"}).value());
  LearntModels learnt(given);
  learnt.Add("web", ModelOf(4));
  learnt.Add("db", ModelOf(3));
  learnt.Add("db", ModelOf(9, TenantRole::kSecondary));
  const auto library = learnt.Library();
  EXPECT_EQ(CpusOf(*library, "db"), (Cpus{1, 2, 3}));
  EXPECT_EQ(CpusOf(*library, "db", TenantRole::kSecondary), Cpus{9});
  EXPECT_EQ(CpusOf(*library, "web"), Cpus{4});
  EXPECT_EQ(learnt.size(), 3U);
  EXPECT_EQ(given->size(), 2U);
}

TEST(LearntModels, TheOldestGoes) {
  LearntModels learnt(nullptr);
  const auto kept = static_cast<std::uint32_t>(LearntModels::kNewestKept);
  for (std::uint32_t i = 0; i < kept + 5; ++i) learnt.Add("db", ModelOf(i));
  learnt.Add("web", ModelOf(7));
  const Cpus cpus = CpusOf(*learnt.Library(), "db");
  ASSERT_EQ(cpus.size(), LearntModels::kNewestKept);
  EXPECT_EQ(cpus.front(), 5U);
  EXPECT_EQ(cpus.back(), kept + 4);
  EXPECT_EQ(learnt.size(), LearntModels::kNewestKept + 1);
}

TEST(LearntModels, AreKeptAndComeBackInTheirOrder) {
  LearntModels learnt(nullptr);
  for (const std::uint32_t cpu : {5U, 3U, 8U}) learnt.Add("db", ModelOf(cpu));
  learnt.Add("web", ModelOf(6, TenantRole::kSecondary));
  LearntModels restored(nullptr);
  EXPECT_TRUE(restored.Restore(learnt.Encode("db", TenantRole::kPrimary), "db").ok());
  EXPECT_TRUE(restored.Restore(learnt.Encode("web", TenantRole::kSecondary), "web").ok());
  EXPECT_EQ(CpusOf(*restored.Library(), "db"), (Cpus{5, 3, 8}));
  EXPECT_EQ(CpusOf(*restored.Library(), "web", TenantRole::kSecondary), Cpus{6});
  std::string damaged = learnt.Encode("db", TenantRole::kPrimary);
  damaged[20] = static_cast<char>(damaged[20] ^ 1);
  EXPECT_FALSE(restored.Restore(damaged, "db").ok());
  EXPECT_EQ(restored.size(), 4U);
}

}  // namespace
}  // namespace berth
