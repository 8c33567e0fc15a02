#include "model/landmarks/exact_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/samples.hpp"
#include "kernel/subset_source.hpp"
#include "kernmix/bounded_certificate.hpp"
#include "kernmix/regularizer.hpp"
#include "kernmix/two_stage.hpp"
#include "model/solving/stopwatch.hpp"

namespace kernmix {
namespace {

bool has_values(const std::vector<Vector>& vectors) {
  return std::ranges::any_of(vectors, [](const Vector& own) { return !own.empty(); });
}

/// Those of one part; parts without values are zero.
std::vector<Vector> of_part(const TaskSet& set, Index part, const std::vector<Vector>& all,
                            const std::vector<Vector>& like) {
  std::vector<Vector> own = set.separate() ? std::vector<Vector>{all[to_size(part)]} : all;
  for (std::size_t k = 0; k < own.size(); ++k) {
    const Vector& shape = like[set.separate() ? to_size(part) : k];
    if (own[k].empty()) own[k].assign(shape.size(), 0.0);
  }
  return own;
}

}  // namespace

Bounds exact_bounds(const TaskSet& set, const AnswerDuals& duals,
                    const std::vector<KernelSourcePtr>& exact, const Bounds& of_landmarks,
                    const Context& context) {
  // Families of kernels have a rank that is not known before; entries are evaluated one by one.
  constexpr double all_entries = std::numeric_limits<double>::infinity();
  Bounds bounds;
  bounds.primal = of_landmarks.primal;
  bounds.least_size = of_landmarks.least_size;
  const ConstSpan gamma = set.separate() ? ConstSpan() : duals.gamma;
  std::optional<ReferenceKernels> kernels;
  for (Index part = 0; part < set.parts(); ++part) {
    if (set.of_pairs() || !kernels) {
      kernels.emplace(subset_sources(exact, set.rows(part)), all_entries);
    }
    Problem problem = set.problem(part, kernels->bank());
    const ConstSpan d = duals.weights.row(duals.weights.rows == 1 ? 0 : part);
    problem.regularizer = with_chosen_weights(problem.regularizer, {d.begin(), d.end()});
    const auto bound = [&](const std::vector<Vector>& vectors) {
      return kernels->certify_dual(problem, by_tasks(problem, of_part(set, part, vectors, duals.a)),
                                   context, gamma);
    };
    double best = bound(duals.a);
    if (has_values(duals.witness)) best = std::max(best, bound(duals.witness));
    bounds.dual += best;
  }
  bounds.set_gap(0.0);
  return bounds;
}

double exact_bounds_seconds(const TaskSet& set, const std::vector<Vector>& a,
                            const std::vector<KernelSourcePtr>& exact, const Context& context) {
  constexpr Index sampled = 256;
  const std::vector<Index> some = spaced_samples(exact.front()->rows(), sampled);
  Matrix entries(length(some), length(some));
  const Stopwatch clock;
  for (const KernelSourcePtr& kernel : exact) kernel->block(some, some, entries.values);
  const double of_one = clock.seconds() / static_cast<double>(length(some) * length(some));
  double pairs = 0.0;
  std::vector<char> used(to_size(set.targets.samples()), 0);
  for (std::size_t k = 0; k < a.size(); ++k) {
    double own = 0.0;
    for (std::size_t i = 0; i < a[k].size(); ++i) {
      if (a[k][i] == 0.0) continue;
      own += 1.0;
      used[to_size(sample_of(set.tasks[k], i))] = 1;
    }
    if (set.separate()) pairs += own * own / 2.0;
  }
  if (!set.separate()) {
    const auto all = static_cast<double>(std::ranges::count(used, 1));
    pairs = all * all / 2.0;
  }
  return pairs * of_one / static_cast<double>(context.workers());
}

}  // namespace kernmix
