// The warning that weights were not learned: d = c, the centre of D and initial point of solvers,
// for kernels with q > 0

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/solving/solve_tasks.hpp"
#include "model/warnings/warnings.hpp"
#include "regularizer/any.hpp"

namespace kernmix {
namespace {

bool learns_weights(const Regularizer& regularizer, Index M) {
  return M > 1 && !has_fixed_weights(regularizer);
}

bool are_as_begun(const Regularizer& regularizer, ConstSpan d, const Vector& q) {
  constexpr double rounding = 1e-12;
  if (std::ranges::max(q) == 0.0) return false;  // the warning equal-decisions is more specific
  const Vector c = initial_weights(regularizer, length(q));
  return std::ranges::equal(d, c, [](double learned, double begun) {
    return std::abs(learned - begun) <= rounding * begun;
  });
}

/// Why they are, and what to do.
std::string cause(const TaskSet& set, double gap, double tolerance) {
  if (gap > tolerance) {
    return "the run ended before they were learned. Allow more time or more iterations.";
  }
  return fmt::format(
      "they meet the tolerance, but do not show which kernels matter. Use a smaller tolerance{}; "
      "kernels that are equally good keep equal weights.",
      uses_cost(set.loss) ? " or a larger C" : "");
}

}  // namespace

void warn_of_weights_not_learned(const TaskSet& set, const TasksAnswer& answer, double tolerance,
                                 std::vector<Warning>& warnings) {
  if (!learns_weights(set.regularizer, answer.weights.cols)) return;
  // Kernels that give all samples the same decision value leave nothing to learn.
  if (std::ranges::find(warnings, "equal-decisions", &Warning::code) != warnings.end()) return;
  std::vector<std::string> names;
  for (Index k = 0; k < answer.weights.rows; ++k) {
    const Vector& q = answer.certificate.tasks[to_size(k)].q;
    if (are_as_begun(set.regularizer, answer.weights.row(k), q)) names.push_back(set.name(k));
  }
  if (names.empty()) return;
  const std::string which = set.separate() ? which_tasks(set, names) : "";
  warnings.push_back(
      {"weights-not-learned",
       fmt::format("The kernel weights{} are still the initial weights of the solver: {}", which,
                   cause(set, answer.certificate.worst_gap, tolerance)),
       {}});
}

}  // namespace kernmix
