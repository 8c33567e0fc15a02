#include "model/fits/side_by_side.hpp"

#include <algorithm>
#include <mutex>

#include "base/parallel.hpp"

namespace kernmix {
namespace {

int parts_at_once(const Context& context, const ManyParts& parts, std::size_t memory) {
  const auto threads = static_cast<std::size_t>(context.workers());
  const bool unlimited = context.memory_bytes == 0 || parts.each == 0;
  const std::size_t fit = unlimited ? threads : std::max<std::size_t>(memory / parts.each, 1);
  const std::size_t at_once = std::min(threads, fit);
  return static_cast<std::size_t>(parts.count) < at_once ? 1 : static_cast<int>(at_once);
}

}  // namespace

bool for_each_part(const Context& context, const ManyParts& parts,
                   const std::function<bool(Index, const Context&)>& body) {
  const std::size_t limit = context.memory_bytes;
  const std::size_t memory = limit > parts.held ? limit - parts.held : 1;
  Context outer = context;
  outer.threads = parts_at_once(context, parts, memory);
  Context inner = context;
  inner.progress = nullptr;
  if (outer.threads > 1) {
    inner.threads = 1;
    inner.log = nullptr;
  }
  if (limit > 0) {
    inner.memory_bytes = std::max<std::size_t>(memory / static_cast<std::size_t>(outer.threads), 1);
  }
  Index done = 0;
  std::mutex mutex;
  parallel_for(outer, parts.count, [&](Index i) {
    if (!body(i, inner)) return;
    const std::lock_guard lock(mutex);
    ++done;
    if (*parts.stage != '\0') context.report({parts.stage, done, parts.count});
  });
  return done == parts.count;
}

}  // namespace kernmix
