#include "appsim/recipe/azure_functions.h"

#include <gtest/gtest.h>

#include "support/temp_folder.h"

namespace berth {
namespace {

class AzureFunctions : public ::testing::Test {
 protected:
  void SetUp() override {
    invocations_ = "HashOwner,HashApp,HashFunction,Trigger";
    for (int minute = 1; minute <= 1'440; ++minute) {
      invocations_ += "," + std::to_string(minute);
    }
    invocations_ += "\n";
    durations_ =
        "HashOwner,HashApp,HashFunction,Average,Count,Minimum,Maximum,percentile_Average_0,"
        "percentile_Average_1,percentile_Average_25,percentile_Average_50,percentile_Average_75,"
        "percentile_Average_99,percentile_Average_100\n";
  }

  // So many calls in the first minute of hour 0, and in the last of hour 23.
  void Function(const std::string& application, const std::string& function, int first, int last) {
    invocations_ += "o," + application + "," + function + ",http," + std::to_string(first);
    for (int minute = 2; minute < 1'440; ++minute) invocations_ += ",0";
    invocations_ += "," + std::to_string(last) + "\n";
  }
  void Took(const std::string& application, const std::string& average, const std::string& low,
            const std::string& high) {
    durations_ +=
        "o," + application + ",f," + average + ",9,1,900,1,2," + low + ",50," + high + ",800,900\n";
  }

  Result<FunctionsProfile> Read() {
    folder_.Write("invocations.csv", invocations_);
    folder_.Write("durations.csv", durations_);
    return ReadFunctions(query_);
  }
  std::string Error() {
    const std::string message = Read().status().message();
    return message.substr(message.rfind('/') + 1);
  }

  testing::TempFolder folder_;
  FunctionsQuery query_ = {.invocations_file = folder_.File("invocations.csv"),
                           .durations_file = folder_.File("durations.csv")};
  std::string invocations_;
  std::string durations_;
};

TEST_F(AzureFunctions, ByHand) {
  Function("a", "f1", 36, 0);  // 72 calls,
  Function("a", "f2", 0, 36);
  Function("b", "f1", 72, 0);  // 72 calls,
  Function("c", "f1", 1, 1);   // 2 calls
  Function("c", "f2", 0, 0);
  Function("c", "f3", 0, 0);
  Took("a", "100", "50", "77");
  Took("b", "300.5", "20", "20");
  Took("c", "9", "1", "2");
  query_.calls_quantile_from = 0.5;  // Of 2, 72 and 72: without c.
  query_.size_quantile = 1;
  const FunctionsProfile profile = Read().value();
  EXPECT_EQ(profile.applications, 2U);
  EXPECT_EQ(profile.services, 2U);
  EXPECT_DOUBLE_EQ(profile.hourly_rates[0], (36.0 + 72.0) / 3'600 / 2);
  EXPECT_DOUBLE_EQ(profile.hourly_rates[1], 0);
  EXPECT_DOUBLE_EQ(profile.hourly_rates[23], 36.0 / 3'600 / 2);
  EXPECT_EQ(profile.duration_ms_means, (std::vector<double>{100, 300.5}));
  // The middle half of a bell curve is 1.349 deviations wide.
  EXPECT_NEAR(profile.duration_ms_deviations[0], 27 / 1.349, 1e-3);
  EXPECT_EQ(profile.duration_ms_deviations[1], 0);
}

TEST_F(AzureFunctions, AFunctionWithSeveralTriggersIsOne) {
  Function("a", "f1", 1, 0);
  Function("a", "f1", 2, 0);
  Took("a", "1", "1", "1");
  EXPECT_EQ(Read().value().services, 1U);
}

TEST_F(AzureFunctions, WhatIsWrongIsSaid) {
  EXPECT_EQ(Error(), "invocations.csv: has no rows; name another file");
  Function("a", "f1", 1, 0);
  EXPECT_EQ(Error(),
            "durations.csv: has no function of the applications that were selected; name the file "
            "of the same day as the invocations");
  Took("a", "1", "3", "2");
  EXPECT_EQ(Error(),
            "durations.csv:2: column 'percentile_Average_75': is below percentile_Average_25; mend "
            "it");
  Function("a", "f1", -1, 0);
  EXPECT_EQ(Error(), "invocations.csv:3: column '1': -1 is not from 0 to 1e+12; mend it");
  query_.invocations_file = folder_.File("none.csv");
  EXPECT_FALSE(ReadFunctions(query_).ok());
}

}  // namespace
}  // namespace berth
