#include "selection/stability/many_models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "base/parallel.hpp"
#include "kernmix/error.hpp"
#include "solve/unfinished.hpp"

namespace kernmix {

void require_waitable(double models, const char* fewer) {
  constexpr double most = 1e7;
  if (models <= most) return;
  throw ParameterError(fmt::format(
      "{}: {:.3g} models are requested, and at most {:.3g} are trained in one run; ask for fewer",
      fewer, models, most));
}

void require_room_for_models(std::size_t models, std::size_t bytes_of_each, const char* fewer,
                             const Context& context) {
  const double needed = static_cast<double>(models) * static_cast<double>(bytes_of_each);
  if (context.memory_bytes == 0 || needed <= static_cast<double>(context.memory_bytes)) return;
  constexpr double gib = 1024.0 * 1024.0 * 1024.0;
  throw ResourceError(
      fmt::format("{}: the results of {} models take {:.1f} GiB, and the memory budget is {:.1f} "
                  "GiB; ask for fewer, or allow more with --memory",
                  fewer, models, needed / gib, static_cast<double>(context.memory_bytes) / gib));
}

std::size_t model_bytes(Index kernels, Index samples) {
  constexpr std::size_t bytes_of_an_entry = sizeof(double) + sizeof(float);
  constexpr std::size_t beside = 32;  // matrices of the solver and the certificate
  return to_size(kernels + static_cast<Index>(beside)) * to_size(samples) * to_size(samples) *
         bytes_of_an_entry;
}

ManyModels::ManyModels(const Context& all, std::size_t held, std::size_t own)
    : context(all), one(all), at_once(all.workers()) {
  if (all.memory_bytes > 0) {
    const std::size_t left = all.memory_bytes > held ? all.memory_bytes - held : 1;
    const std::size_t fit = std::max<std::size_t>(left / std::max<std::size_t>(own, 1), 1);
    at_once = static_cast<int>(std::min<std::size_t>(to_size(at_once), fit));
    one.memory_bytes = std::max<std::size_t>(left / to_size(at_once), 1);
  }
  one.threads = 1;
  one.progress = nullptr;
  one.log = nullptr;
}

void ManyModels::run(Index count, const char* stage,
                     const std::function<void(Index)>& model) const {
  Context several = context;
  several.threads = at_once;
  std::atomic<Index> done = 0;
  std::mutex reporting;
  parallel_for(several, count, [&](Index i) {
    if (context.should_stop()) return;
    model(i);
    const Index finished = ++done;
    const std::lock_guard lock(reporting);
    context.report({stage, finished, count, 1.0});
  });
}

std::optional<TrainResult> train_in_time(const Dataset& data, const TrainOptions& options,
                                         const Context& context) {
  if (context.should_stop()) return std::nullopt;
  try {
    TrainResult result = train(data, options, context);
    if (is_unfinished(result.status)) return std::nullopt;
    return result;
  } catch (const ResourceError&) {
    if (!context.should_stop()) throw;
    return std::nullopt;
  }
}

}  // namespace kernmix
