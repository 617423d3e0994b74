#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <utility>

#include "appsim/app_file.h"
#include "appsim/app_policy.h"
#include "appsim/app_study.h"
#include "appsim/multiverse/quirks.h"
#include "base/parallel.h"
#include "base/text.h"
#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "cli/simulate_multiverse.h"
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

Result<AppStudy> ReadAppStudy(const Invocation& given, std::size_t workers, const AppModel& model) {
  AppStudy study{.seed = given.Number("--seed"), .workers = workers};
  if (given.Has("--repetitions")) {
    BERTH_TRY(study.repetitions, given.NumberWithin("--repetitions", 1, kAppRepetitionsMax));
  }
  const std::string policies = given.Has("--policy") ? given.Text("--policy") : "none";
  for (const std::string_view name : Split(policies, ',')) {
    if (study.policies.size() == kAppPoliciesMax) {
      return Status(Code::kInvalidArgument,
                    fmt::format("--policy names more than {} policies", kAppPoliciesMax));
    }
    BERTH_TRY(AppPolicy policy, ReadAppPolicy(std::string(name), model));
    study.policies.push_back(std::move(policy));
  }
  return study;
}

Result<Report> SimulateFile(const Invocation& given, std::size_t workers, std::string command) {
  BERTH_TRY(const AppModel model, ReadAppFile(given.Text("FILE")));
  BERTH_TRY(AppStudy study, ReadAppStudy(given, workers, model));
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
  return AppReport(model, runs, study, std::move(command));
}

Status RefuseOptions(const Invocation& given, std::initializer_list<std::string_view> options,
                     std::string_view why) {
  for (const std::string_view option : options) {
    if (given.Has(option)) return {Code::kInvalidArgument, fmt::format("{} {}", option, why)};
  }
  return {};
}

// What is of files, of folders, or of one way to simulate a folder.
Status CheckAppOptions(const Invocation& given, bool folder) {
  if (!folder) {
    return RefuseOptions(given, {"--exact", "--compatible", "--quirk", "--step", "--duration"},
                         "is of folders with the files of the Multiverse simulator; a file is "
                         "simulated exactly, for as long as it says. Leave the option out");
  }
  BERTH_RETURN_IF_ERROR(RefuseOptions(given, {"--requests"},
                                      "is of application files, and this is a folder. Leave the "
                                      "option out"));
  if (!given.Has("--exact")) return {};
  return RefuseOptions(given, {"--compatible", "--quirk", "--step"},
                       "is of the simulation in steps, and --exact has neither steps nor quirks. "
                       "Leave one of the two out");
}

Result<Report> SimulateFileOrFolder(const Invocation& given) {
  std::error_code error;
  const bool folder = std::filesystem::is_directory(given.Text("FILE"), error);
  BERTH_RETURN_IF_ERROR(CheckAppOptions(given, folder));
  BERTH_TRY(std::size_t workers, given.NumberWithin("--workers", 0, 1'000));
  if (workers == 0) workers = CoreCount();
  std::string command =
      CommandLine(SimulateAppCommand(), given, {"--json", "--report", "--workers", "--requests"});
  return folder ? SimulateMultiverse(given, workers, std::move(command))
                : SimulateFile(given, workers, std::move(command));
}

int RunSimulateApp(const Invocation& given, Console& console) {
  const Result<Report> report = SimulateFileOrFolder(given);
  if (!report.ok()) return console.Fail(report.status());
  return PrintReport(given, console, report.value());
}

}  // namespace

Command SimulateAppCommand() {
  return {
      .words = "simulate app",
      .summary = "send single requests through an application while policies scale it",
      .arguments = {{"FILE",
                     "services, requests, nodes and load, see docs/app-simulator.md; or a folder "
                     "with the files of the Multiverse simulator, see docs/multiverse.md"}},
      .options =
          {{"--policy", "LIST",
            "none, or files as docs/predictive-scaling.md has them; several to compare them "
            "on the same requests; FILE@LEARNED: with what `berth train` learned. Of a folder: the "
            "one of its scaling policies to take"},
           {"--repetitions", "N", "of each policy, with other draws; otherwise the folder's, or 1"},
           {"--seed", "N", "for the draws", false, "1"},
           {"--workers", "N", "threads; 0: one a core. They do not show in the result", false, "0"},
           {"--requests", "FILE",
            "write a CSV line for every request of the first policy, repetition and "
            "region"},
           {"--compatible",
            "VERSION",
            "of a folder: head, jan2021 or none, whose quirks to have; otherwise head; see "
            "`berth list quirks`",
            false,
            {},
            multiverse::QuirkVersions},
           {"--quirk", "LIST",
            "of a folder: switch single ones: links_pile_up=off,first_blocks=on"},
           {"--exact", "", "of a folder: without steps and quirks, as files are"},
           {"--step", "TIME", "of a folder; otherwise the experiment's, or 10ms"},
           {"--duration", "TIME", "of a folder: to simulate; otherwise the experiment's, or 1m"},
           {"--report", "DIR", "write report.html and report.json there"},
           kJsonOption},
      .examples = {"berth simulate app testdata/appsim/shop.yaml",
                   "berth simulate app testdata/appsim/shop.yaml --policy "
                   "none,testdata/appsim/hpa.yaml,testdata/appsim/reactive.yaml --repetitions 2",
                   "berth simulate app testdata/multiverse/shop --policy eager --compatible none"},
      .run = RunSimulateApp};
}

}  // namespace berth
