#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <utility>

#include "appsim/app_file.h"
#include "appsim/app_policy.h"
#include "appsim/app_study.h"
#include "base/parallel.h"
#include "base/text.h"
#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "report/app_report.h"

namespace berth {
namespace {

constexpr std::uint32_t kAppRepetitionsMax = 10'000;
constexpr std::size_t kAppPoliciesMax = 20;

// One line a request, in the order in which they end.
class RequestFile final : public RequestSink {
 public:
  RequestFile(const std::string& path, const AppModel& model) : file_(path), model_(model) {
    file_ << "request,number,sent_us,ended_us,buffers_us,links_us,outcome,service\n";
  }
  void Ended(const RequestEnd& end) override {
    file_ << fmt::format(
        "{},{},{},{},{},{},{},{}\n", model_.request_types[end.type].name, end.number, end.sent_us,
        end.ended_us, end.waited_us, end.on_links_us,
        end.answered ? "answered" : LossCauseName(end.cause),
        end.answered ? std::string_view() : std::string_view(model_.services[end.service].name));
  }
  bool is_open() const { return file_.is_open(); }
  // Whether all of it was written.
  bool Close() {
    file_.close();
    return !file_.fail();
  }

 private:
  std::ofstream file_;
  const AppModel& model_;
};

Result<AppStudy> ReadAppStudy(const Invocation& given, const AppModel& model) {
  AppStudy study{.seed = given.Number("--seed")};
  BERTH_TRY(study.repetitions, given.NumberWithin("--repetitions", 1, kAppRepetitionsMax));
  BERTH_TRY(study.workers, given.NumberWithin("--workers", 0, 1'000));
  if (study.workers == 0) study.workers = CoreCount();
  for (const std::string_view name : Split(given.Text("--policy"), ',')) {
    if (study.policies.size() == kAppPoliciesMax) {
      return Status(Code::kInvalidArgument,
                    fmt::format("--policy names more than {} policies", kAppPoliciesMax));
    }
    BERTH_TRY(AppPolicy policy, ReadAppPolicy(std::string(name), model));
    study.policies.push_back(std::move(policy));
  }
  return study;
}

Result<Report> SimulateFile(const Invocation& given) {
  BERTH_TRY(const AppModel model, ReadAppFile(given.Text("FILE")));
  BERTH_TRY(AppStudy study, ReadAppStudy(given, model));
  std::unique_ptr<RequestFile> requests;
  const auto not_written = [&given] {
    return Status(Code::kUnavailable,
                  fmt::format("{} cannot be written; give --requests a file in a folder that there "
                              "is, with room for a line a request",
                              Quoted(given.Text("--requests"))));
  };
  if (given.Has("--requests")) {
    requests = std::make_unique<RequestFile>(given.Text("--requests"), model);
    if (!requests->is_open()) return not_written();
    study.sink = requests.get();
  }
  BERTH_TRY(const std::vector<AppPolicyRuns> runs, RunAppStudy(model, study));
  if (requests && !requests->Close()) return not_written();
  return AppReport(
      model, runs, study,
      CommandLine(SimulateAppCommand(), given, {"--json", "--report", "--workers", "--requests"}));
}

int RunSimulateApp(const Invocation& given, Console& console) {
  const Result<Report> report = SimulateFile(given);
  if (!report.ok()) return console.Fail(report.status());
  return PrintReport(given, console, report.value());
}

}  // namespace

Command SimulateAppCommand() {
  return {
      .words = "simulate app",
      .summary = "send single requests through an application while policies scale it",
      .arguments = {{"FILE", "services, requests, nodes and load; see docs/app-simulator.md"}},
      .options = {{"--policy", "LIST",
                   "none, or files as docs/predictive-scaling.md has them; several to compare them "
                   "on the same requests",
                   false, "none"},
                  {"--repetitions", "N", "of each policy, with other draws", false, "1"},
                  {"--seed", "N", "for the draws", false, "1"},
                  {"--workers", "N", "threads; 0: one a core. They do not show in the result",
                   false, "0"},
                  {"--requests", "FILE",
                   "write a CSV line for every request of the first policy, repetition and "
                   "region"},
                  {"--report", "DIR", "write report.html and report.json there"},
                  kJsonOption},
      .examples = {"berth simulate app testdata/appsim/shop.yaml",
                   "berth simulate app testdata/appsim/shop.yaml --policy "
                   "none,testdata/appsim/hpa.yaml,testdata/appsim/reactive.yaml --repetitions 2"},
      .run = RunSimulateApp};
}

}  // namespace berth
