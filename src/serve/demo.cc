#include "serve/demo.h"

#include <fmt/format.h>
#include <grpcpp/grpcpp.h>

#include <map>
#include <thread>

#include "base/text.h"
#include "base/thread_executor.h"
#include "berth.grpc.pb.h"
#include "serve/demo_usage.h"
#include "serve/messages.h"
#include "traces/generate_workload.h"
#include "traces/generate_zone.h"

namespace berth {
namespace {

constexpr Duration kSayEvery = std::chrono::seconds(10);
constexpr Duration kMeasureEvery = std::chrono::seconds(5);
constexpr int kMeasuredAtOnceMax = 4'000;  // Series in a call.
constexpr std::string_view kInstanceKey = "instance ";

// Reports every instance that gets a machine as started, as something that starts them would, and
// passes on what it learns of instances.
class Actuator {
 public:
  using Learned = std::function<void(const v1::RecordUpdate& instance)>;
  Actuator(std::shared_ptr<grpc::Channel> channel, Learned learned)
      : stub_(v1::Berth::NewStub(std::move(channel))),
        learned_(std::move(learned)),
        thread_([this] { Run(); }) {}
  ~Actuator() {
    context_.TryCancel();
    thread_.join();
  }
  Actuator(const Actuator&) = delete;
  Actuator& operator=(const Actuator&) = delete;

 private:
  void Run() {
    const auto stream = stub_->Watch(&context_, v1::WatchRequest());
    v1::Commit commit;
    while (stream->Read(&commit)) {
      v1::ReportInstancesRequest request;
      for (const v1::RecordUpdate& update : commit.updates()) {
        if (update.key().starts_with(kInstanceKey)) learned_(update);
        if (!update.has_instance() || update.instance().phase() != v1::PLACED) continue;
        v1::InstanceReport& report = *request.add_reports();
        report.set_instance(update.instance().id());
        report.set_what(v1::STARTED);
      }
      if (request.reports().empty()) continue;
      grpc::ClientContext context;
      v1::ReportInstancesReply reply;
      // What has gone meanwhile needs no report.
      (void)stub_->ReportInstances(&context, request, &reply);
    }
  }

  std::unique_ptr<v1::Berth::Stub> stub_;
  const Learned learned_;
  grpc::ClientContext context_;
  std::thread thread_;
};

class PlayedDay final : public Demo {
 public:
  PlayedDay(const FleetFile& fleet, const std::string& address, const DemoOptions& options,
            std::function<void(const std::string&)> say)
      : fleet_(fleet),
        options_(options),
        say_(std::move(say)),
        channel_(grpc::CreateChannel(address, grpc::InsecureChannelCredentials())),
        stub_(v1::Berth::NewStub(channel_)),
        actuator_(channel_, [this](const v1::RecordUpdate& update) {
          plays_.Post([this, update] { Learn(update); });
        }) {}
  ~PlayedDay() override { plays_.Stop(); }

  Status Begin() {
    BERTH_RETURN_IF_ERROR(NextDay());
    plays_.Post([this] { PlayNext(); });
    plays_.PostAt(plays_.now() + kSayEvery, [this] { Tell(); });
    plays_.PostAt(plays_.now() + kMeasureEvery, [this] { Measure(); });
    return {};
  }

 private:
  Status NextDay() {
    WorkloadOptions workload;
    workload.seed = options_.seed + day_;
    workload.start_full = day_ == 0;
    BERTH_TRY(trace_, GenerateWorkload(fleet_, workload));
    ++day_;
    day_began_ = plays_.now();
    return {};
  }

  // When something of the day happens in the real one.
  Time At(Time of_day) const {
    return day_began_ + of_day.time_since_epoch() / options_.times_faster;
  }

  void PlayNext() {
    Result<std::optional<Arrival>> arrival = trace_->Next();
    if (!arrival.ok()) return say_("the demo ends: " + arrival.status().message());
    if (!arrival.value()) {
      if (const Status status = NextDay(); !status.ok()) return say_(status.message());
      return plays_.Post([this] { PlayNext(); });
    }
    const Time at = At(arrival.value()->at);
    plays_.PostAt(at, [this, arrived = *std::move(arrival).value()] {
      Arrive(arrived);
      PlayNext();
    });
  }

  void Arrive(const Arrival& arrival) {
    v1::CreateServiceRequest request;
    ToMessage(arrival.service, *request.mutable_service());
    const std::string name = fmt::format("d{}-{}", day_, arrival.service.name);
    request.mutable_service()->set_name(name);
    request.set_idempotency_key(name);
    grpc::ClientContext context;
    v1::Outcome outcome;
    const grpc::Status status = stub_->CreateService(&context, request, &outcome);
    if (!status.ok() || !outcome.accepted()) {
      ++refused_;
      return;
    }
    ++accepted_;
    ++running_;
    if (!arrival.lifetime) return;
    plays_.PostAt(plays_.now() + *arrival.lifetime / options_.times_faster,
                  [this, name] { Depart(name); });
  }

  void Depart(const std::string& name) {
    v1::DeleteServiceRequest request;
    request.set_name(name);
    grpc::ClientContext context;
    v1::Outcome outcome;
    if (stub_->DeleteService(&context, request, &outcome).ok()) --running_;
  }

  void Learn(const v1::RecordUpdate& update) {
    const std::string name = update.key().substr(kInstanceKey.size());
    if (update.has_instance() && update.instance().phase() == v1::RUNNING) {
      // What it uses goes by what it started with, so that sizing it changes nothing about that.
      const auto [limit, is_new] = limits_.try_emplace(name);
      if (!is_new) return;
      limit->second[Resource::kCpu] = update.instance().limit().cpu_milli();
      limit->second[Resource::kMemory] = update.instance().limit().memory_bytes();
    } else {
      limits_.erase(name);
    }
  }

  Duration OfDay() const { return (plays_.now() - day_began_) * options_.times_faster; }

  // Tells what everything that runs uses.
  void Measure() {
    const std::chrono::duration<double, std::ratio<86'400>> of_day = OfDay();
    v1::PutSamplesRequest request;
    const auto add = [&](const std::string& name, const char* metric, double value) {
      v1::SampleSeries& series = *request.add_series();
      series.set_subject(name);
      series.set_metric(metric);
      series.add_points()->set_value(value);
    };
    for (const auto& [name, limit] : limits_) {
      const DemoUsage usage = UsageOf(name, limit, of_day.count());
      add(name, "cpu_milli", usage.cpu_milli);
      add(name, "memory_bytes", usage.memory_bytes);
      if (request.series_size() >= kMeasuredAtOnceMax) Put(request);
    }
    Put(request);
    plays_.PostAt(plays_.now() + kMeasureEvery, [this] { Measure(); });
  }

  void Put(v1::PutSamplesRequest& request) {
    grpc::ClientContext context;
    v1::PutSamplesReply reply;
    (void)stub_->PutSamples(&context, request, &reply);  // The next may be taken again.
    request.Clear();
  }

  void Tell() {
    const Duration of_day = OfDay();
    say_(fmt::format("demo, day {} {}: {} services run, {} were accepted, {} refused", day_,
                     FormatDuration(of_day), FormatCount(running_), FormatCount(accepted_),
                     FormatCount(refused_)));
    plays_.PostAt(plays_.now() + kSayEvery, [this] { Tell(); });
  }

  const FleetFile fleet_;
  const DemoOptions options_;
  const std::function<void(const std::string&)> say_;
  const std::shared_ptr<grpc::Channel> channel_;
  const std::unique_ptr<v1::Berth::Stub> stub_;
  std::unique_ptr<Trace> trace_;
  std::uint64_t day_ = 0;
  Time day_began_;
  std::int64_t running_ = 0;
  std::int64_t accepted_ = 0;
  std::int64_t refused_ = 0;
  std::map<std::string, Resources> limits_;  // Of the instances that run, as they started.
  ThreadExecutor plays_;
  Actuator actuator_;  // Last: it uses everything above.
};

}  // namespace

Result<FleetFile> DemoFleet(const DemoOptions& options) {
  return GenerateZone({.machines = options.machines, .name = "demo"});
}

Result<std::unique_ptr<Demo>> StartDemo(const FleetFile& fleet, const std::string& address,
                                        const DemoOptions& options,
                                        std::function<void(const std::string& line)> say) {
  auto demo = std::make_unique<PlayedDay>(fleet, address, options, std::move(say));
  BERTH_RETURN_IF_ERROR(demo->Begin());
  return std::unique_ptr<Demo>(std::move(demo));
}

}  // namespace berth
