#include "model/landmarks/automatic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/memory/memory_text.hpp"
#include "base/memory/room.hpp"
#include "base/samples.hpp"
#include "kernel/landmark_source.hpp"
#include "kernel/subset_source.hpp"
#include "model/make_model.hpp"
#include "model/solving/kernel_store.hpp"
#include "model/solving/solve_tasks.hpp"

namespace kernmix {
namespace {

constexpr Index most_landmarks = 1000;
constexpr Index fewest_landmarks = 20;
/// For fewer samples a budget that the kernels exceed is a mistake to be told.
constexpr Index from_samples = 4000;
/// For more samples landmarks are taken before kernels are evaluated anew in each pass.
constexpr Index most_evaluated = 10'000;
/// Seconds of one core for each of the n r entries of the factors, r = M R columns, in a whole
/// training, and for each of their n r R products while they are made, from benchmarks/landmarks.
constexpr double seconds_of_entry = 1e-7;
constexpr double seconds_of_product = 3e-11;
constexpr double most_seconds = 120.0;
/// The part of the time that is left which training may take.
constexpr double share_of_time = 0.5;
/// From one number of landmarks to the next smaller one.
constexpr double smaller = 0.8;

/// Seconds of one core for each of the n^2 entries of a dense kernel in a whole training, beside
/// their evaluation (docs/how-to/size-and-time.md), and the power of the number of threads by which
/// time falls.
constexpr double seconds_of_exact_entry = 2e-8;
constexpr double power_of_threads = 0.6;

/// The part with the most samples.
Index largest_part(const TaskSet& set) {
  Index largest = 0;
  for (Index part = 1; set.of_pairs() && part < set.parts(); ++part) {
    if (set.task(part).y.size() > set.task(largest).y.size()) largest = part;
  }
  return largest;
}

MemoryPlan plan_of(const Dataset& data, const TrainOptions& options, const TaskSet& set,
                   const Context& context, const TrainingKernels& kernels,
                   const std::vector<KernelSourcePtr>& sources) {
  const Index part = largest_part(set);
  MemoryPlan plan;
  plan.data_bytes = data_bytes(data, kernels);
  for (const KernelSourcePtr& source : sources) {
    if (source->by_landmarks() != nullptr) plan.data_bytes += source->bytes();
  }
  plan_store(
      subset_sources(sources, set.rows(part)),
      [&](const MemoryPlan& planned) {
        return tasks_memory(set, options.solver.moments, part, planned, context);
      },
      {options.solver.tolerance, set.largest_C(), options.assume_psd}, context, plan);
  return plan;
}

/// More than any plan of dense kernels.
double most_bytes(Index n, std::size_t kernels) {
  constexpr double of_solver = 100.0;
  constexpr double of_kernel = 24.0;
  const auto samples = static_cast<double>(n);
  return samples * samples * (of_kernel * static_cast<double>(kernels) + of_solver);
}

/// The time that training may take.
double seconds_for_training(const Context& context) {
  if (!context.deadline) return most_seconds;
  const std::chrono::duration<double> left = *context.deadline - std::chrono::steady_clock::now();
  return std::clamp(share_of_time * left.count(), 0.0, most_seconds);
}

/// The largest number with training within these seconds.
Index landmarks_within(double seconds, Index n, std::size_t kernels, Index tasks) {
  const double budget = seconds / static_cast<double>(n) / static_cast<double>(kernels) /
                        static_cast<double>(std::max<Index>(tasks, 1));
  const double a = seconds_of_product;
  const double b = seconds_of_entry;
  return static_cast<Index>((std::sqrt(b * b + 4.0 * a * budget) - b) / (2.0 * a));
}

/// Tasks that multiply the time of training.
Index tasks_at_once(const TaskSet& set) { return set.separate() ? 1 : set.size(); }

/// Those of no low rank: kernels of one or two columns have a low one.
std::vector<KernelSourcePtr> dense_kernels(const std::vector<KernelSourcePtr>& kernels,
                                           const std::vector<KernelDescription>& descriptions) {
  constexpr Index part_of_rows = 8;
  constexpr std::size_t few_columns = 2;
  std::vector<KernelSourcePtr> dense;
  for (std::size_t m = 0; m < kernels.size(); ++m) {
    const KernelSourcePtr& source = kernels[m];
    const bool few = !descriptions[m].from_matrix && descriptions[m].columns.size() <= few_columns;
    if (!few && source->rank_bound() > source->rows() / part_of_rows) dense.push_back(source);
  }
  return dense;
}

/// Seconds of one core to evaluate an entry of each kernel.
double seconds_to_evaluate(const std::vector<KernelSourcePtr>& kernels) {
  constexpr Index some_samples = 128;
  const std::vector<Index> some = spaced_samples(kernels.front()->rows(), some_samples);
  Matrix entries(length(some), length(some));
  const Stopwatch clock;
  for (const KernelSourcePtr& kernel : kernels) kernel->block(some, some, entries.values);
  return clock.seconds() / static_cast<double>(entries.values.size());
}

/// "about 3 minutes"
std::string minutes_text(double seconds) {
  constexpr double minute = 60.0;
  const auto minutes = std::max(std::lround(seconds / minute), 1L);
  return fmt::format("about {} minute{}", minutes, minutes == 1 ? "" : "s");
}

/// most_landmarks reduced in steps to at most `count`, but not below the fewest.
Index next_smaller(Index count, Index n) {
  Index R = std::min(most_landmarks, n);
  while (R > count) R = static_cast<Index>(smaller * static_cast<double>(R));
  return std::max(R, std::min(fewest_landmarks, n));
}

}  // namespace

std::string slow_kernels_note(const TaskSet& set, const Context& context,
                              const std::vector<KernelSourcePtr>& kernels,
                              const std::vector<KernelDescription>& descriptions) {
  constexpr double share = 0.25;
  const std::vector<KernelSourcePtr> dense = dense_kernels(kernels, descriptions);
  const Index n = kernels.front()->rows();
  if (dense.empty() || n < from_samples) return "";
  const auto samples = static_cast<double>(n);
  const double entries = samples * samples * static_cast<double>(tasks_at_once(set));
  const double threads = static_cast<double>(context.workers());
  const double seconds = entries * seconds_of_exact_entry * static_cast<double>(dense.size()) /
                             std::pow(threads, power_of_threads) +
                         samples * samples * seconds_to_evaluate(dense) / threads;
  if (seconds < most_seconds) return "";
  const double less = std::min(most_seconds, share * seconds);
  const Index R = std::clamp(landmarks_within(less, n, kernels.size(), tasks_at_once(set)),
                             fewest_landmarks, most_landmarks);
  return fmt::format(
      "training on the kernels as written takes {} or more; with --landmarks {}, which "
      "approximates them, it takes {}",
      minutes_text(seconds), R, minutes_text(less));
}

bool exact_kernels_fit(const Dataset& data, const TrainOptions& options, const TaskSet& set,
                       const Context& context, const TrainingKernels& kernels) {
  const Index n = kernels.sources.front()->rows();
  if (context.memory_bytes == 0 || n < from_samples) return true;
  const std::size_t beside = data_bytes(data, kernels);
  if (has_room(context, static_cast<double>(beside) + most_bytes(n, kernels.sources.size()))) {
    return true;
  }
  const MemoryPlan plan = plan_of(data, options, set, context, kernels, kernels.sources);
  const bool evaluated = plan.batch_bytes > 0;
  return has_room(context, plan.total()) && (!evaluated || n <= most_evaluated);
}

AutomaticLandmarks automatic_landmarks(const Dataset& data, const TrainOptions& options,
                                       const TaskSet& set, const Context& context,
                                       const TrainingKernels& kernels) {
  const Index n = kernels.sources.front()->rows();
  const std::vector<std::string> names = kernel_names(kernels.descriptions);
  const double seconds = seconds_for_training(context);
  const bool hurried = seconds < most_seconds;
  const Index in_time = std::max(
      landmarks_within(seconds, n, kernels.sources.size(), tasks_at_once(set)), fewest_landmarks);
  // In hurry a number of coarse steps, so that it hardly depends on the clock.
  Index R = hurried ? next_smaller(in_time, n) : std::min({most_landmarks, in_time, n});
  bool of_memory = false;
  for (; R >= fewest_landmarks; R = static_cast<Index>(smaller * static_cast<double>(R))) {
    // Which samples they are does not matter for their memory.
    const std::vector<KernelSourcePtr> trial =
        landmark_sources(kernels.sources, spaced_samples(n, R), names, context);
    if (has_room(context, plan_of(data, options, set, context, kernels, trial).total())) break;
    of_memory = true;
  }
  if (R < fewest_landmarks) return {};
  const std::string limit = of_memory             ? ", as many as fit"
                            : R == most_landmarks ? ""
                            : hurried             ? ", as many as the time limit allows"
                                                  : ", with which training takes about two minutes";
  return {R, fmt::format("the kernels as written exceed the memory budget of {}: each of the {} "
                         "kernels is approximated by {} landmarks{}; give another number with "
                         "--landmarks, or more memory with --memory",
                         memory_text(context.memory_bytes), kernels.sources.size(), R, limit)};
}

}  // namespace kernmix
