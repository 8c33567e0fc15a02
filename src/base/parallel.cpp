#include "base/parallel.hpp"

#include <tbb/task_group.h>

#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// This thread is executing a work() function.
thread_local bool working = false;

struct Working {
  Working() { working = true; }
  ~Working() { working = false; }
  Working(const Working&) = delete;
  Working& operator=(const Working&) = delete;
};

}  // namespace

void throw_if_abandoned(const Context& context) {
  if (context.is_abandoned()) throw ResourceError("stopped before there was a result");
}

void on_threads(int threads, const std::function<void()>& work) {
  if (working) return work();
  tbb::task_group others;
  std::atomic<const std::function<void()>*> handed = nullptr;
  handed.store(
      &work);  // makes the order of memory accesses visible to tools that do not instrument oneTBB
  const auto take_part = [&handed] {
    const std::function<void()>& part = *handed.load();
    const Working until_it_returns_or_throws;
    part();
  };
  for (int thread = 1; thread < threads; ++thread) others.run(take_part);
  take_part();
  others.wait();
}

}  // namespace kernmix
