/// \file
/// SVMs on the samples near the margin (docs/solvers/newton.md): from K_m a0 of the last dual
/// vector a0, at all samples and for each kernel with weight,
///
///   z0 = K(d) a0 = sum_m d_m K_m a0,
///
/// which tells for new weights d what samples are near the margin.

#include <algorithm>
#include <iterator>

#include "weights/objective.hpp"

namespace kernmix {
namespace {

/// Whether SMO can leave out samples, and an SVM on all of them takes long enough.
bool may_leave_out_samples(const Problem& problem) {
  constexpr Index kLeast = 500;
  if (problem.samples() < kLeast || has_smooth_dual(problem.loss)) return false;
  for (Index m = 0; m < problem.kernels(); ++m) {
    if (problem.bank.stored_triangle(m) == nullptr) return false;
  }
  return true;
}

}  // namespace

void Objective::keep_products() {
  keep_products_ = true;
  leaves_out_samples_ = may_leave_out_samples(problem_);
}

/// Where SMO had a part of the samples. Else reading kernels at all samples takes up to twice as
/// long as at the support: what the next SVM spares, where most samples can be left out.
bool Objective::reads_whole() const {
  constexpr double kMostFree = 0.4;
  if (oracle_.must_learn()) return true;
  if (!leaves_out_samples_) return false;
  const auto free = static_cast<double>(oracle_.free_set().size());
  return free <= kMostFree * static_cast<double>(samples());
}

bool Objective::solve_near_margin(ConstSpan d, double gap_target) {
  if (known_ == nullptr) return false;
  const Vector z = known_->product(d, problem_.bank, context_);
  return oracle_.solve_part(d, {known_->a, z}, gap_target);
}

/// The forms of all kernels: a pass that reads only those which have not been read.
Vector Objective::forms_beside(const WholeProducts& whole) {
  std::vector<Index> others;
  std::ranges::set_difference(all_kernels(), whole.kernels, std::back_inserter(others));
  Vector q(static_cast<std::size_t>(kernels()));
  whole.forms(q);
  Vector some(others.size());
  static_cast<void>(problem_.bank.forms_and_products(others, whole.a, some, context_));
  for (std::size_t k = 0; k < others.size(); ++k) q[static_cast<std::size_t>(others[k])] = some[k];
  ++passes_;
  return q;
}

}  // namespace kernmix
