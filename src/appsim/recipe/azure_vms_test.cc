#include "appsim/recipe/azure_vms.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/temp_folder.h"

namespace berth {
namespace {

class AzureVms : public ::testing::Test {
 protected:
  Result<VmsProfile> Read(const std::string& readings, const std::string& vms) {
    folder_.Write("readings.csv", readings);
    folder_.Write("vmtable.csv", vms);
    return ReadVms(query_);
  }
  std::string Error(const std::string& readings, const std::string& vms) {
    const std::string message = Read(readings, vms).status().message();
    return message.substr(message.rfind('/') + 1);
  }

  testing::TempFolder folder_;
  VmsQuery query_ = {.vms_file = folder_.File("vmtable.csv"),
                     .readings_files = {folder_.File("readings.csv")}};
};

constexpr std::string_view kReadings =
    "0,a,2,10,9\n"  // A single request: at most three apart.
    "300,a,4,30,10\n"
    "600,a,6,14,12\n"  // Another.
    "0,b,1,90,20\n"
    "0,c,5,6,5\n";
constexpr std::string_view kVms =
    "a,s,d,0,600,30,10,28,Interactive,4,8\n"
    "b,s,d,0,600,90,20,80,Delay-insensitive,>24,>64\n"
    "z,s,d,0,600,90,20,80,Interactive,2,2\n";

// Of a the least are 2, 4 and 6 percent: 4 on average, deviation sqrt(8 / 3). Of four cores that is
// 160 milli; of 8 GiB, at 0.9 of the share, 0.288 GiB. Single requests peak at 10 and 14: 12 on
// average, 8 above, deviation 2.
TEST_F(AzureVms, ByHand) {
  query_.categories = {"Interactive"};
  const VmsProfile profile = Read(std::string(kReadings), std::string(kVms)).value();
  constexpr double kGib = 1'073'741'824;
  EXPECT_EQ(profile.vms, 1U);
  ASSERT_EQ(profile.service_cpu_milli.means.size(), 1U);
  EXPECT_DOUBLE_EQ(profile.service_cpu_milli.means[0], 160);
  EXPECT_DOUBLE_EQ(profile.service_cpu_milli.deviations[0], 40 * std::sqrt(8.0 / 3));
  EXPECT_NEAR(profile.service_memory_bytes.means[0], 0.288 * kGib, 1);
  EXPECT_DOUBLE_EQ(profile.request_cpu_milli.means[0], 320);
  EXPECT_DOUBLE_EQ(profile.request_cpu_milli.deviations[0], 80);
  EXPECT_NEAR(profile.request_memory_bytes.means[0], 0.1 * 0.9 * 0.08 * 8 * kGib, 1);
}

TEST_F(AzureVms, BucketsWithoutEndCountAsTheirBeginning) {
  const VmsProfile profile = Read(std::string(kReadings), std::string(kVms)).value();
  EXPECT_EQ(profile.vms, 2U);
  EXPECT_DOUBLE_EQ(profile.service_cpu_milli.means[1], 240);  // A percent of 24.
  EXPECT_EQ(profile.request_cpu_milli.means.size(), 1U);      // None was seen in b.
}

TEST_F(AzureVms, OnlyTheFirstVmsOfAFileAreFollowed) {
  query_.vms_per_file = 1;
  EXPECT_EQ(Read(std::string(kReadings), std::string(kVms)).value().vms, 1U);
}

TEST_F(AzureVms, WhatIsWrongIsSaid) {
  EXPECT_EQ(Error("0,a,2,101,9\n", ""),
            "readings.csv:1: column 'max cpu': 101 is not from 0 to 100; mend it");
  EXPECT_EQ(Error("0,a,2,10,9\n", "a,s,d,0,600,30,10,28,Interactive,many,8\n"),
            "vmtable.csv:1: column 'core count bucket': 'many' is no bucket; write a number above "
            "0, or one after >");
  EXPECT_EQ(Error("0,a,2,10,9\n", "b,s,d,0,600,30,10,28,Interactive,2,8\n"),
            "vmtable.csv: has no VM of the readings in these categories; name others");
  EXPECT_EQ(Error("0,a,2,90,9\n", "a,s,d,0,600,30,10,28,Interactive,2,8\n"),
            "readings.csv: no reading shows a single request; raise single_request_gap");
}

}  // namespace
}  // namespace berth
