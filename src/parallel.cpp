#include "parallel.hpp"

#include <tbb/task_group.h>

namespace kernmix {
namespace {

/// This thread is in a work() already.
thread_local bool working = false;

}  // namespace

void on_threads(int threads, const std::function<void()>& work) {
  if (working) return work();
  const auto take_part = [&work] {
    working = true;
    work();
    working = false;
  };
  tbb::task_group others;
  for (int thread = 1; thread < threads; ++thread) others.run(take_part);
  take_part();
  others.wait();
}

}  // namespace kernmix
