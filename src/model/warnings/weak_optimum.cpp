// J is the optimal value, and J_0 the smallest value of the objective with zero functions: the loss
// of one answer for all samples, the best bias.
//
// weak: J >= (1 - 0.05) J_0, where J is at least the dual bound of its certificate

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/samples.hpp"
#include "base/text.hpp"
#include "model/solving/solve_tasks.hpp"
#include "model/warnings/warnings.hpp"

namespace kernmix {
namespace {

constexpr double kHardly = 0.05;
constexpr Index kFewestSamples =
    20;  ///< with fewer samples the optimum is often close to one answer

/// J_0 of a task.
double value_of_one_answer(const TaskSet& set, const Task& task) {
  const Index functions = decision_functions(set.loss, task.y);
  const Vector zero(task.y.size() * to_size(functions), 0.0);
  return loss_at(set.loss, set.bias, task.y, zero, zero, task.C).value;
}

/// A lower bound of the optimal value of a task at the final weights; of a joint problem of all.
double least_value(const TaskSet& set, const TasksCertificate& certificate, Index k) {
  if (set.joint()) return certificate.bounds.dual;
  const TaskCertificate& own = certificate.tasks[to_size(k)];
  return own.primal - own.gap;
}

/// "always saying 'no'", "one number for all samples".
std::string one_answer(const TaskSet& set, Index k) {
  if (set.targets.target == Target::numbers) return "predicting one number for all samples";
  if (set.joint() || set.size() > 1) return "giving all samples one answer";
  const Task& task = set.task(k);
  double positive = 0.0;
  double negative = 0.0;
  for (std::size_t i = 0; i < task.y.size(); ++i)
    (task.y[i] > 0.0 ? positive : negative) += task.C[i];
  const TaskModel& outline = set.outlines[to_size(k)];
  const Index more = positive > negative ? outline.positive : outline.negative;
  return fmt::format("always saying {}", in_quotes(set.targets.names[to_size(more)]));
}

/// Whether one class is much larger than the others, and all samples count alike.
bool has_rare_class(const TaskSet& set) {
  constexpr double rare = 0.25;
  if (set.targets.target != Target::classes) return false;
  for (const double weight : set.class_weights) {
    if (weight != set.class_weights.front()) return false;
  }
  for (Index k = 0; k < set.size(); ++k) {
    const Vector& y = set.task(k).y;
    std::map<double, double> counts;
    for (const double value : y) counts[value] += 1.0;
    for (const auto& [value, count] : counts) {
      if (count < rare * static_cast<double>(y.size())) return true;
    }
  }
  return false;
}

std::string remedies(const TaskSet& set) {
  std::vector<std::string> all;
  if (has_rare_class(set))
    all.push_back("--class-weight balanced, so that rare classes count as much");
  if (uses_cost(set.loss)) all.push_back("a larger C");
  if (set.targets.target == Target::classes && !gives_probability(set.loss) && !set.joint()) {
    all.push_back("--loss logistic");
  }
  all.push_back("other kernels, and more landmarks if there are landmarks");
  return comma_list(all);
}

}  // namespace

void warn_of_weak_optimum(const TaskSet& set, const TasksAnswer& answer,
                          std::vector<Warning>& warnings) {
  if (set.targets.target == Target::none || set.targets.samples() < kFewestSamples) return;
  const auto is_known = [&](const char* code) {
    return std::ranges::find(warnings, code, &Warning::code) != warnings.end();
  };
  if (is_known("equal-decisions") || is_known("constant-target")) return;
  std::vector<std::string> weak;
  double share = 0.0;  // of the value of one answer that the optimum saves, at most
  for (Index k = 0; k < set.size(); ++k) {
    const double none = value_of_one_answer(set, set.task(k));
    if (!(none > 0.0)) continue;
    const double saved = 1.0 - least_value(set, answer.certificate, k) / none;
    if (saved > kHardly) continue;
    weak.push_back(set.name(k));
    share = std::max(share, saved);
  }
  if (weak.empty()) return;
  warnings.push_back(
      {"hardly-better-than-one-answer",
       fmt::format("The optimum{} is hardly better than {}: its value is at most {:.1g} % smaller. "
                   "Decision values may then rank samples badly. What helps: {}.",
                   which_tasks(set, weak), one_answer(set, 0), 100.0 * std::max(share, 0.0),
                   remedies(set)),
       {}});
}

}  // namespace kernmix
