// Applications that queueing theory has formulas for: the simulated mean response time must be
// within the confidence interval of many short runs.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>

#include "appsim/app_testing.h"

namespace berth {
namespace {

// Services in a row, with exponential or constant times, no latency and no timeout to speak of.
AppModel Tandem(const std::vector<double>& mean_us, const std::vector<std::uint64_t>& servers,
                Spread::Kind kind, double rate) {
  AppModel model = testing::TreeApp(mean_us.size(), 1, 1);
  AppRequestType& type = model.request_types[0];
  type.need = {{{.mean = 1000}}};
  type.timeout = std::chrono::hours(1);
  for (std::size_t i = 0; i < mean_us.size(); ++i) {
    type.times[i] = {.upstream = {.kind = kind, .mean = mean_us[i]}, .downstream = {}};
    model.regions[0].deployment[i].count = servers[i];
  }
  model.node_types[0].latency = {};
  model.regions[0].user_latency = {};
  model.duration = std::chrono::seconds(400);
  testing::AddLoad(model, {rate}, model.duration);
  return model;
}

// Beyond four standard errors of the mean of independent runs is a mistake: by chance it happens
// once in fifteen thousand, and seeds are fixed.
void ExpectResponse(const AppModel& model, double expected_s) {
  constexpr std::size_t kRuns = 30;
  std::array<double, kRuns> means{};
  for (std::size_t i = 0; i < kRuns; ++i) {
    const AppOutcome outcome = SimulateApp(model, {.seed = 100 + i}).value();
    const TypeOutcome& type = outcome.types[0];
    ASSERT_GT(type.answered, 1'000U);
    means[i] = type.response_us / static_cast<double>(type.answered) / 1e6;
  }
  const double mean = std::accumulate(means.begin(), means.end(), 0.0) / kRuns;
  double squares = 0;
  for (const double value : means) squares += (value - mean) * (value - mean);
  const double error = std::sqrt(squares / (kRuns - 1) / kRuns);
  EXPECT_NEAR(mean, expected_s, 4 * error);
  EXPECT_LT(error, 0.03 * expected_s);  // Or the interval would say nothing.
}

// The probability to wait, by Erlang's formula C, for a load of `erlangs`.
double ErlangC(unsigned servers, double erlangs) {
  double term = 1, sum = 0;
  for (unsigned k = 0; k < servers; ++k) {
    sum += term;
    term *= erlangs / (k + 1);
  }
  const double all_busy = term / (1 - erlangs / servers);
  return all_busy / (sum + all_busy);
}

TEST(QueueingTheory, ErlangCByHand) {
  EXPECT_DOUBLE_EQ(ErlangC(1, 0.8), 0.8);
  EXPECT_NEAR(ErlangC(2, 1), 1.0 / 3, 1e-15);
}

TEST(QueueingTheory, OneServerWithExponentialTimes) {
  // W = 1 / (mu - lambda).
  ExpectResponse(Tandem({10'000}, {1}, Spread::Kind::kExponential, 70), 1.0 / (100 - 70));
}

TEST(QueueingTheory, SeveralServersWithExponentialTimes) {
  // W = 1/mu + C / (c mu - lambda).
  const double expected = 0.01 + ErlangC(4, 3.4) / (400 - 340);
  ExpectResponse(Tandem({10'000}, {4}, Spread::Kind::kExponential, 340), expected);
}

TEST(QueueingTheory, OneServerWithConstantTimes) {
  // W = 1/mu + rho / (2 mu (1 - rho)).
  ExpectResponse(Tandem({10'000}, {1}, Spread::Kind::kConstant, 80), 0.01 + 0.8 / (2 * 100 * 0.2));
}

TEST(QueueingTheory, ServersInARowAreAsIfAlone) {
  // Jackson: the sum of three independent stations, one of them with two servers.
  const double expected =
      1.0 / (100 - 60) + (0.02 + ErlangC(2, 1.2) / (100 - 60)) + 1.0 / (90 - 60);
  ExpectResponse(Tandem({10'000, 20'000, 1e6 / 90}, {1, 2, 1}, Spread::Kind::kExponential, 60),
                 expected);
}

// Half of the requests visit the second service: a network with feedforward routing.
TEST(QueueingTheory, ANetworkWithBranches) {
  AppModel model = Tandem({10'000, 20'000}, {1, 1}, Spread::Kind::kExponential, 30);
  model.request_types.push_back(model.request_types[0]);
  model.request_types[1].name = "short";
  model.request_types[1].visits = {true, false};
  model.regions[0].loads.push_back(model.regions[0].loads[0]);
  model.regions[0].loads[1].request_type = 1;
  // The first sees 60 a second, the second 30.
  ExpectResponse(model, 1.0 / (100 - 60) + 1.0 / (50 - 30));
}

}  // namespace
}  // namespace berth
