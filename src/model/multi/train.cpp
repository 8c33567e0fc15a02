#include <algorithm>
#include <cmath>

#include "base/blas_threads.hpp"
#include "model/model_basis.hpp"
#include "model/multi/answer.hpp"
#include "model/multi/thresholds.hpp"
#include "model/multi/weights.hpp"
#include "model/stopwatch.hpp"
#include "model/warnings/warnings.hpp"

namespace kernmix {
namespace {

/// Of a run that are kept for its trace.
constexpr Index kMostMoments = 50;

/// ||f_mk|| = d_mk sqrt(q_mk).
Matrix norms_of(const MultiAnswer& answer) {
  Matrix norms = answer.forms;
  for (Index k = 0; k < norms.rows; ++k) {
    const ConstSpan d = answer.weights.row(answer.weights.rows == 1 ? 0 : k);
    for (Index m = 0; m < norms.cols; ++m) {
      norms(k, m) = d[static_cast<std::size_t>(m)] * std::sqrt(norms(k, m));
    }
  }
  return norms;
}

bool supports(const TaskAnswer& answer, std::size_t i) {
  return answer.a[i] != 0.0 || (!answer.proof.empty() && answer.proof[i] != 0.0);
}

/// The samples that some task has for a support vector, or that prediction needs, ascending.
std::vector<Index> support_of(const TaskSet& set, const MultiAnswer& answer,
                              ConstSpan kernel_weights) {
  const SharedTask& first = set.task(0);  // of a kind with the others
  const bool all =
      needs_all_samples(set, dual_set(set.loss, set.bias, first.y, first.C), kernel_weights);
  std::vector<char> used(static_cast<std::size_t>(set.targets.samples()), all ? 1 : 0);
  for (Index k = 0; k < set.size(); ++k) {
    const TaskAnswer& own = answer.tasks[static_cast<std::size_t>(k)];
    for (std::size_t i = 0; i < own.a.size(); ++i) {
      if (supports(own, i)) used[static_cast<std::size_t>(sample_of(set.task(k), i))] = 1;
    }
  }
  std::vector<Index> support;
  for (Index i = 0; i < length(used); ++i) {
    if (used[static_cast<std::size_t>(i)] != 0) support.push_back(i);
  }
  return support;
}

TaskModel task_model(const TaskModel& outline, const SharedTask& task, const TaskAnswer& answer,
                     const std::vector<Index>& place) {
  TaskModel model = outline;
  model.bias = answer.bias;
  model.primal = answer.primal;
  model.gap = answer.gap;
  for (std::size_t i = 0; i < answer.a.size(); ++i) {
    if (!supports(answer, i)) continue;
    model.support.push_back(place[static_cast<std::size_t>(sample_of(task, i))]);
    model.coefficients.push_back(answer.a[i]);
    if (!answer.proof.empty()) model.proof.push_back(answer.proof[i]);
  }
  return model;
}

void add_tasks(const TaskSet& set, const MultiAnswer& answer, ConstSpan kernel_weights,
               MultiModel& model) {
  model.support = support_of(set, answer, kernel_weights);
  std::vector<Index> place(static_cast<std::size_t>(set.targets.samples()), -1);
  for (Index s = 0; s < length(model.support); ++s) {
    place[static_cast<std::size_t>(model.support[static_cast<std::size_t>(s)])] = s;
  }
  for (std::size_t k = 0; k < set.tasks.size(); ++k) {
    model.tasks.push_back(task_model(set.outlines[k], set.tasks[k], answer.tasks[k], place));
  }
}

MultiModel make_multi_model(const Dataset& data, const MultiTrainOptions& options,
                            const TaskSet& set, const TrainingKernels& kernels,
                            const MultiAnswer& answer, Status status, const Context& context) {
  MultiModel model;
  model.scheme = set.targets.scheme;
  model.sharing = set.joint() ? scheme_name(TaskScheme::joint) : options.sharing;
  model.names = set.targets.names;
  model.settings = settings_of(set, options, set.class_weights, answer.solver, status, context);
  model.weights = answer.weights;
  model.norms = norms_of(answer);
  model.gamma = answer.gamma;
  model.certificate = answer.certificate;
  const WeightedKernels weighted = over_tasks(model.weights, model.norms);
  add_tasks(set, answer, weighted.weights, model);
  fill_basis(data, options, kernels, weighted, set.targets.values, model);
  return model;
}

/// Without forms and bounds, for prediction.
MultiAnswer answer_then(MomentAnswer moment, const MultiAnswer& at_end) {
  MultiAnswer answer;
  answer.tasks = std::move(moment.tasks);
  answer.weights = Matrix(1, length(moment.d));
  answer.weights.values = std::move(moment.d);
  answer.forms = Matrix(at_end.forms.rows, at_end.forms.cols);
  answer.gamma = at_end.gamma;
  answer.solver = at_end.solver;
  return answer;
}

std::vector<Warning> warnings_of(const TaskSet& set, const TrainingKernels& kernels,
                                 const MultiAnswer& answer, const Context& context) {
  std::vector<FittedTask> tasks;
  for (Index k = 0; k < set.size(); ++k) {
    const TaskAnswer& own = answer.tasks[static_cast<std::size_t>(k)];
    FittedTask& task = tasks.emplace_back();
    task.name = set.name(k);
    task.d = answer.weights.row(answer.weights.rows == 1 ? 0 : k);
    task.a = own.a;
    task.rows = set.task(k).rows;
    task.bias = own.bias;
    if (set.joint()) continue;  // no class has a decision value to meet
    task.y = set.task(k).y;
    task.exactness = exact_classes;
  }
  return training_warnings(kernels, kernel_shapes(kernels, context), tasks, context);
}

auto task_solver(const TaskSet& set) {
  return set.sharing || set.joint() ? solve_coupled_tasks : solve_separate_tasks;
}

}  // namespace

MultiTrainResult train_multi(const Dataset& data, const MultiTrainOptions& options,
                             const Context& context) {
  const Stopwatch clock;
  const SerialBlas serial_blas;
  const TaskSet set = make_task_set(data, options);
  TrainingKernels kernels =
      training_kernels(data.table, data.matrices, set.kernels, options.scaling, context);
  kernels.assume_psd = options.assume_psd;
  MultiTrainResult result;
  result.plan.data_bytes = data_bytes(data, kernels);
  result.seconds.kernels = clock.seconds();
  SolverOptions solving = options.solver;
  if (options.trace) solving.moments = kMostMoments;
  MultiAnswer answer = task_solver(set)(set, kernels, solving, context, result);
  result.model = make_multi_model(data, options, set, kernels, answer, result.status, context);
  result.warnings = warnings_of(set, kernels, answer, context);
  if (options.threshold_folds > 0) choose_thresholds(data, options, context, result.model);
  result.seconds.total = clock.seconds();
  for (MomentAnswer& moment : answer.moments) {
    TrainingMoment then{moment.seconds, moment.svm_solves, {}};
    then.model = make_multi_model(data, options, set, kernels,
                                  answer_then(std::move(moment), answer), result.status, context);
    options.trace(then);
  }
  if (options.trace) options.trace({result.seconds.solve, result.svm_solves, result.model});
  return result;
}

}  // namespace kernmix
