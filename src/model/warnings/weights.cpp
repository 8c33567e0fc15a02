// Even weights c, the centre of D, are the best ones for forms q but for
//
//   sigma(q/2) - (1/2 c'q - Phi(c)) >= 0,   q = sum_k gamma_k q_k   (Fenchel's inequality)
//
// undecided: that is at most primal - dual, so that the bounds do not tell the answer from them.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "model/solving/solve_tasks.hpp"
#include "model/warnings/warnings.hpp"
#include "regularizer/any.hpp"

namespace kernmix {
namespace {

bool learns_weights(const Regularizer& regularizer, Index M) {
  return M > 1 &&
         visit([]<typename R>(const R&) { return !HasFixedWeights<R> && !HasSaddleWeights<R>; },
               regularizer);
}

/// \param q  forms of the tasks that have these weights together
bool bounds_allow_even(const Regularizer& regularizer, const Vector& q, double gap) {
  if (std::ranges::max(q) == 0.0) return false;  // nothing depends on the weights: equal-decisions
  const Vector even = initial_weights(regularizer, length(q));
  const double of_even = 0.5 * std::inner_product(even.begin(), even.end(), q.begin(), 0.0);
  return conjugate(regularizer, q) + penalty(regularizer, even) - of_even <= gap;
}

/// q of all tasks together.
Vector shared_forms(const TasksAnswer& answer) {
  Vector q(to_size(answer.weights.cols), 0.0);
  for (std::size_t k = 0; k < answer.certificate.tasks.size(); ++k) {
    const double gamma = answer.gamma.empty() ? 1.0 : answer.gamma[k];
    for (std::size_t m = 0; m < q.size(); ++m) q[m] += gamma * answer.certificate.tasks[k].q[m];
  }
  return q;
}

}  // namespace

void warn_of_undecided_weights(const TaskSet& set, const TasksAnswer& answer,
                               std::vector<Warning>& warnings) {
  if (!learns_weights(set.regularizer, answer.weights.cols)) return;
  const TasksCertificate& certificate = answer.certificate;
  std::string which;
  if (set.separate()) {
    std::vector<std::string> names;
    for (Index k = 0; k < set.size(); ++k) {
      const TaskCertificate& task = certificate.tasks[to_size(k)];
      if (bounds_allow_even(set.regularizer, task.q, task.gap)) names.push_back(set.name(k));
    }
    if (names.empty()) return;
    which = which_tasks(set, names);
  } else if (!bounds_allow_even(set.regularizer, shared_forms(answer), certificate.bounds.gap)) {
    return;
  }
  warnings.push_back({"weights-undecided",
                      fmt::format("The certified gap does not tell the kernel weights{} from even "
                                  "ones: they do not say which kernels matter. Take a smaller "
                                  "tolerance or a larger C.",
                                  which),
                      {}});
}

}  // namespace kernmix
