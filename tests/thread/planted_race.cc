// Shows that the thread sanitizer sees races under OpenMP, and sees none in parallel_for.
// usage: planted_race [race]
#include <vector>

#include "parallel.hpp"

int main(int count, char**) {
  kernmix::Context context;
  context.threads = 4;
  std::vector<int> slots(1000);
  int shared = 0;
  kernmix::parallel_for(context, 1000, [&](kernmix::Index i) {
    slots[static_cast<std::size_t>(i)] = 1;
    if (count > 1) ++shared;
  });
  int sum = 0;
  for (const int slot : slots) sum += slot;
  return sum == 1000 ? 0 : 1;
}
