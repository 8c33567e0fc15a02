// Shows that the thread sanitizer sees races under OpenMP, and sees none in parallel_for.
// usage: planted_race [race]
#include <atomic>
#include <thread>
#include <vector>

#include "parallel.hpp"

// Until two threads have work: on a loaded machine one alone might take all of it. Relaxed, so that it
// orders nothing.
void wait_for_company() {
  static std::atomic<int> arrived{0};
  thread_local bool counted = false;
  if (!counted) arrived.fetch_add(1, std::memory_order_relaxed);
  counted = true;
  while (arrived.load(std::memory_order_relaxed) < 2) std::this_thread::yield();
}

int main(int count, char**) {
  kernmix::Context context;
  context.threads = 4;
  std::vector<int> slots(1000);
  int shared = 0;
  kernmix::parallel_for(context, 1000, [&](kernmix::Index i) {
    wait_for_company();
    slots[static_cast<std::size_t>(i)] = 1;
    if (count > 1) ++shared;
  });
  int sum = 0;
  for (const int slot : slots) sum += slot;
  return sum == 1000 ? 0 : 1;
}
