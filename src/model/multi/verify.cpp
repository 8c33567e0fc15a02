#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/blas_threads.hpp"
#include "kernel/subset_source.hpp"
#include "kernmix/bank/build.hpp"
#include "loss/crammer_singer.hpp"
#include "model/check.hpp"
#include "model/claims/kernel_claims.hpp"
#include "model/claims/prediction_claims.hpp"
#include "model/multi/recompute.hpp"

namespace kernmix {
namespace {

TaskSet task_set_of(const MultiModel& model, TaskTargets targets) {
  TaskSet set{{parse_loss(model.settings.loss), model_regularizer(model),
               parse_bias(model.settings.bias), kernel_descriptions(model)},
              std::move(targets),
              model.settings.class_weights,
              {},
              {},
              parse_task_sharing(model.scheme, model.sharing)};
  set_tasks(model.settings.C, model.sample_weights, set);
  return set;
}

/// " of task 'setosa'": goes on from the name of a number.
std::string of_task(const MultiModel& model, std::size_t k) {
  return fmt::format(" of task '{}'", model.tasks[k].name);
}

void check_all_predictions(Claims& claims, const MultiModel& model, const Dataset& data,
                           const TrainingData& found, const Context& context) {
  std::vector<DecisionFunction> functions;
  for (std::size_t k = 0; k < model.tasks.size(); ++k) {
    const TaskModel& task = model.tasks[k];
    functions.push_back({of_task(model, k), model.task_weights(static_cast<Index>(k)),
                         Vector(model.support.size(), 0.0), task.bias});
    for (std::size_t s = 0; s < task.support.size(); ++s) {
      functions.back().a[static_cast<std::size_t>(task.support[s])] = task.coefficients[s];
    }
  }
  const std::vector<Index> samples = samples_to_predict(model.training_samples);
  claims.attempt("predictions", [&] {
    const auto prediction = predict_multi(model, samples_of(data, samples), context);
    check_predictions(claims, model, found, functions, samples, prediction.task_decision);
  });
}

void check_all_weights(Claims& claims, const MultiModel& model, const TaskSet& set,
                       const TrainingData& found, const Context& context) {
  if (model.weights.rows == 1) {
    claims.attempt("weights", [&] { check_weights(set.regularizer, model.weights.row(0)); });
    return;
  }
  for (Index k = 0; k < set.size(); ++k) {
    check_task_weights(claims, model, set.alone(k),
                       subset_sources(found.kernels.sources, set.task(k).rows),
                       model.task_weights(k), of_task(model, static_cast<std::size_t>(k)), context);
  }
}

double joint_loss(const TaskSet& set, const std::vector<TaskCertificate>& tasks,
                  const Vector& bias) {
  double loss = 0.0;
  Vector f(tasks.size());
  for (std::size_t i = 0; i < tasks.front().z.size(); ++i) {
    for (std::size_t u = 0; u < f.size(); ++u) f[u] = tasks[u].z[i] + bias[u];
    loss +=
        crammer_singer_loss(f, set.targets.class_of(static_cast<Index>(i)), set.tasks.front().C[i]);
  }
  return loss;
}

/// The biases of a joint model are those of one loss.
void check_joint_biases(Claims& claims, const MultiModel& model, const TaskSet& set,
                        const MultiCertificate& exact) {
  claims.open("bias");
  Vector own;
  Vector best;
  for (std::size_t u = 0; u < exact.tasks.size(); ++u) {
    own.push_back(model.tasks[u].bias);
    best.push_back(exact.tasks[u].bias);
  }
  const bool fixed = set.bias == Bias::none;
  const double size = exact.bounds.size();
  if (!fixed &&
      joint_loss(set, exact.tasks, own) <= joint_loss(set, exact.tasks, best) + agreement * size) {
    return;
  }
  for (std::size_t u = 0; u < own.size(); ++u) {
    claims.compare("bias", "the bias" + of_task(model, u), own[u], best[u],
                   fixed ? 0.0 : std::abs(best[u]));
  }
}

void check_task(Claims& claims, const MultiModel& model, const TaskSet& set, std::size_t k,
                const TaskCertificate& exact, double size) {
  const TaskModel& task = model.tasks[k];
  const std::string whose = of_task(model, k);
  const auto at = static_cast<Index>(k);
  check_norms(claims, whose, model.norms.row(at), model.task_weights(at), exact.q, size);
  if (set.joint()) return;
  const double own_size = std::max(std::abs(exact.primal), std::abs(exact.primal - exact.gap));
  claims.compare("bounds", "the primal" + whose, task.primal, exact.primal, own_size);
  claims.compare("bounds", "the gap" + whose, task.gap, exact.gap, own_size);
  check_bias(claims, whose, task.bias,
             {set.loss, set.bias, set.tasks[k].y, set.tasks[k].C, exact.z, exact.bias, own_size});
}

void check_answer(Claims& claims, const MultiModel& model, const TaskSet& set,
                  const TrainingData& found, const Context& context, MultiVerification& result) {
  check_all_weights(claims, model, set, found, context);
  const TaskDuals duals = duals_of(model, set, found);
  const auto bank = exact_bank(found.kernels.sources);
  if (!claims.attempt("dual", [&] { check_duals(set, duals, *bank); })) return;
  claims.attempt("bounds", [&] {
    const MultiCertificate exact = certify_again(model, set, found, duals, context);
    result.recomputed = exact.bounds;
    check_bounds(claims, model.certificate, exact.bounds);
    for (std::size_t k = 0; k < exact.tasks.size(); ++k) {
      check_task(claims, model, set, k, exact.tasks[k], exact.bounds.size());
    }
    if (set.joint()) check_joint_biases(claims, model, set, exact);
    check_status(claims, model.settings.status, exact.converged);
  });
}

}  // namespace

MultiVerification verify_multi(const MultiModel& model, const Dataset& data,
                               const Context& context) {
  const SerialBlas serial_blas;
  require_sound(model);
  TaskTargets targets = encode_targets(model.scheme, model.names, data.table);
  MultiVerification result;
  result.reported = model.certificate;
  Claims claims(result.claims);
  const auto found = find_training_data(claims, model, data, targets.values, context);
  TaskSet set;
  if (found && claims.attempt("settings", [&] { set = task_set_of(model, std::move(targets)); })) {
    check_scaling(claims, model, *found);
    check_kernels(claims, model, *found, context);
    check_all_predictions(claims, model, data, *found, context);
    check_answer(claims, model, set, *found, context, result);
  }
  conclude(claims, result);
  return result;
}

}  // namespace kernmix
