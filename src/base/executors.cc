#include "berth/executors.h"

#include <utility>

#include "base/thread_executor.h"
#include "base/virtual_executor.h"

namespace berth {
namespace {

class Virtual final : public RunnableExecutor {
 public:
  Time now() const override { return executor_.now(); }
  void Post(Task task) override { executor_.Post(std::move(task)); }
  void PostAt(Time at, Task task) override { executor_.PostAt(at, std::move(task)); }
  std::size_t RunUntilIdle() override { return executor_.RunUntilIdle(); }

 private:
  VirtualExecutor executor_;
};

}  // namespace

std::unique_ptr<RunnableExecutor> NewVirtualExecutor() { return std::make_unique<Virtual>(); }

std::unique_ptr<Executor> NewThreadExecutor() { return std::make_unique<ThreadExecutor>(); }

}  // namespace berth
