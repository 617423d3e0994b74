#include "oversub/demand_library_file.h"

#include <gtest/gtest.h>

#include "berth/rng.h"
#include "oversub/demand_curve.h"
#include "oversub/slow_reference_testing.h"

namespace berth {
namespace {

using testing::ModelsOf;
using testing::RandomSlowTraces;

TraceLibrary SomeLibrary(std::uint64_t seed) {
  Rng rng(seed);
  return TraceLibrary::Build(ModelsOf(RandomSlowTraces(rng, 30, 40, 2)), {"small", "large"})
      .value();
}

std::string Refusal(std::string_view bytes) {
  const Result<TraceLibrary> read = DecodeDemandLibrary(bytes, "f");
  return read.ok() ? "" : read.status().message();
}

// The checksum that belongs to the content, as a forger would write it.
std::string Sealed(std::string bytes) {
  bytes.resize(bytes.size() - 8);
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(hash >> (8 * i) & 0xff));
  return bytes;
}

TEST(DemandLibraryFile, ComesBackAsItWas) {
  const TraceLibrary library = SomeLibrary(1);
  const std::string bytes = EncodeDemandLibrary(library);
  const TraceLibrary read = DecodeDemandLibrary(bytes, "f").value();
  EXPECT_EQ(EncodeDemandLibrary(read), bytes);
  ASSERT_EQ(read.size(), library.size());
  EXPECT_EQ(read.class_names()[1], "large");
  for (std::uint32_t i = 0; i < read.size(); ++i) {
    const DemandModel& a = library.model(TraceIndex{i});
    const DemandModel& b = read.model(TraceIndex{i});
    const DemandCurve kept = CurveOf(library, HostedTenant(), TraceIndex{i});
    const DemandCurve found = CurveOf(read, HostedTenant(), TraceIndex{i});
    for (Step age = 0; age <= a.lifetime + 1; ++age) EXPECT_EQ(kept.At(age), found.At(age));
    EXPECT_EQ(a.Peak(), b.Peak());
  }
  // Eight of the beginning and the end, 12 of counts, 7 of each name, 47 of each model.
  EXPECT_EQ(bytes.size(), 8 + 12 + 7 + 7 + 47 * library.size() + 8);
}

TEST(DemandLibraryFile, EveryByteCounts) {
  const std::string bytes = EncodeDemandLibrary(SomeLibrary(2));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    EXPECT_NE(Refusal(damaged), "") << i;
    EXPECT_NE(Refusal(bytes.substr(0, i)), "") << i;
  }
}

// Whatever stands there under a right checksum, what is read is a library or an error.
TEST(DemandLibraryFile, ForgedContentIsReadOrRefused) {
  const std::string bytes = EncodeDemandLibrary(SomeLibrary(3));
  Rng rng(4);
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string forged = bytes;
    for (std::uint64_t j = 0; j < 1 + rng.Below(3); ++j) {
      forged[8 + rng.Below(forged.size() - 16)] = static_cast<char>(rng.Below(256));
    }
    refused += Refusal(Sealed(forged)).empty() ? 0 : 1;
  }
  EXPECT_GT(refused, 300);
  std::string unsound = bytes;
  unsound[8 + 12 + 14 + 14] = '\x01';  // In the first slope: no whole number any more.
  unsound[8 + 12 + 14 + 15] = '\x3f';
  EXPECT_NE(Refusal(Sealed(unsound)), "");
}

TEST(DemandLibraryFile, SaysWhatIsWrong) {
  EXPECT_EQ(Refusal("hello"), "f: is no file of demand models; make one with berth demand fit");
  EXPECT_EQ(Refusal("BERTHDM1"), "f: is cut short; make it again");
  EXPECT_FALSE(ReadDemandLibrary("/no/such/file").ok());
}

}  // namespace
}  // namespace berth
