#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/blas_threads.hpp"
#include "base/samples.hpp"
#include "kernmix/bank/build.hpp"
#include "model/check.hpp"
#include "model/claims/calibration_claims.hpp"
#include "model/claims/kernel_claims.hpp"
#include "model/claims/prediction_claims.hpp"
#include "model/claims/recompute.hpp"
#include "model/kernel_choice.hpp"
#include "model/kernels/fitted_widths.hpp"
#include "model/landmarks/exact_bounds.hpp"
#include "model/landmarks/landmarks.hpp"
#include "model/product/product.hpp"

namespace kernmix {
namespace {

double joint_loss(const TaskSet& set, const std::vector<TaskCertificate>& tasks,
                  const Vector& bias) {
  const Task& all = set.tasks.front();
  Vector f;
  for (std::size_t i = 0; i < all.y.size(); ++i) {
    for (std::size_t u = 0; u < bias.size(); ++u) f.push_back(tasks[u].z[i] + bias[u]);
  }
  return loss_at(set.loss, Bias::none, all.y, f, Vector(f.size(), 0.0), all.C).value;
}

/// The biases of a joint model belong to one loss.
void check_joint_biases(Claims& claims, const Model& model, const TaskSet& set,
                        const TasksCertificate& exact) {
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
    claims.compare("bias", "the bias" + of_task(model, static_cast<Index>(u)), own[u], best[u],
                   fixed ? 0.0 : std::abs(best[u]));
  }
}

/// Kernels of distances have a shift that depends on the order of the samples: if the order differs
/// from training, the shift is inferred from the first kernel with weight.
void restore_shift(const Model& model, const TrainingData& found, Vector& q) {
  if (found.rows == model.support) return;
  const auto has_weight = [](const ModelKernel& kernel) { return kernel.weight > 0.0; };
  const auto used = std::ranges::find_if(model.kernels, has_weight);
  if (used == model.kernels.end()) return;
  const double norm = used->norm / used->weight;
  const double change = norm * norm - q[to_size(used - model.kernels.begin())];
  for (double& form : q) form += change;
}

/// The stationarity of a product, and the widths of its factors that follow from the data.
void check_product(Claims& claims, const Product& product, TrainingData& found, const Vector& a,
                   ConstSpan sample_counts, const Context& context) {
  claims.open("stationarity");
  FeatureColumns& features = found.kernels.features;
  const auto fitted =
      fit_widths(descriptions_of(product.factors), features, {}, {}, sample_counts, context);
  for (std::size_t m = 0; m < fitted.size(); ++m) {
    check_widths(claims, product.factors[m].description, fitted[m],
                 fmt::format("factor {} ({})", m + 1, fitted[m].name()));
  }
  claims.compare("stationarity", "the stationarity of the weights", product.stationarity,
                 stationarity_of(product, features, a, context), 1.0);
}

/// The threshold of a novelty detector is lowered by the rounding error of decision values,
/// regardless of the size of its objective.
double size_of_threshold(const Model& model, const TrainingData& found) {
  if (model.target != Target::none) return 0.0;
  const TaskModel& task = model.tasks.front();
  if (model.landmarks) {
    return std::abs(task.bias) + landmark_decision_size(found.kernels, model.task_weights(0),
                                                        model.landmarks->coefficients.front());
  }
  return std::abs(task.bias) +
         decision_size(found.kernels, model.task_weights(0), task.coefficients);
}

void check_task(Claims& claims, const Model& model, const TaskSet& set, std::size_t k,
                const TaskCertificate& exact, double size, double threshold_size) {
  const TaskModel& task = model.tasks[k];
  const auto at = static_cast<Index>(k);
  const std::string whose = of_task(model, at);
  check_norms(claims, whose, model.norms.row(at), model.task_weights(at), exact.q, size);
  if (set.joint()) return;
  const double own_size =
      set.single() ? size : std::max(std::abs(exact.primal), std::abs(exact.primal - exact.gap));
  claims.compare("bounds", "the primal" + whose, task.primal, exact.primal, own_size);
  claims.compare("bounds", "the gap" + whose, task.gap, exact.gap, own_size);
  check_bias(claims, whose, task.bias,
             {set.loss, set.bias, set.tasks[k].y, set.tasks[k].C, exact.z, exact.bias, own_size,
              threshold_size});
}

void check_certificate(Claims& claims, const Model& model, const TaskSet& set,
                       const TasksCertificate& exact, const TrainingData& found,
                       Verification& result) {
  result.recomputed = exact.bounds;
  check_bounds(claims, model.certificate, exact.bounds, on_distances(set.loss));
  for (std::size_t k = 0; k < exact.tasks.size(); ++k) {
    result.biases.push_back(exact.tasks[k].bias);
    check_task(claims, model, set, k, exact.tasks[k], exact.bounds.size(),
               size_of_threshold(model, found));
  }
  if (set.joint()) check_joint_biases(claims, model, set, exact);
  const double gap =
      set.separate() && !set.single() ? exact.worst_gap : model.certificate.relative_gap();
  const double tolerance = model.settings.tolerance;
  const bool stationary = !model.product || model.product->stationarity <= tolerance;
  check_status(claims, model.settings.status, gap <= tolerance && stationary);
}

/// Claim `landmarks`: the functions of the model are those of its dual vectors, at the training
/// samples.
void check_functions(Claims& claims, const Model& model, const TaskSet& set,
                     const TasksCertificate& exact, const TrainingData& found) {
  claims.open("landmarks");
  const Vector jitter = jitter_of(found.kernels);
  for (std::size_t m = 0; m < jitter.size(); ++m) {
    claims.compare("landmarks", fmt::format("the jitter of kernel {}", m + 1),
                   model.landmarks->jitter[m], jitter[m], jitter[m]);
  }
  const std::vector<Index> samples = spaced_samples(model.training_samples, 64);
  for (std::size_t k = 0; k < exact.tasks.size(); ++k) {
    const ConstSpan d = model.task_weights(static_cast<Index>(k));
    const Matrix& W = model.landmarks->coefficients[k];
    const double size = landmark_decision_size(found.kernels, d, W);
    for (std::size_t i = 0; i < exact.tasks[k].z.size(); ++i) {
      const Index row = sample_of(set.tasks[k], i);
      if (!std::ranges::binary_search(samples, row)) continue;
      double f = 0.0;
      Vector entries(found.rows.size());
      const Index one[] = {row};
      for (std::size_t m = 0; m < d.size(); ++m) {
        if (d[m] == 0.0) continue;
        found.kernels.exact[m]->block(one, found.rows, entries);
        const ConstSpan w = W.row(static_cast<Index>(m));
        f += d[m] * std::inner_product(w.begin(), w.end(), entries.begin(), 0.0);
      }
      claims.compare("landmarks",
                     fmt::format("the function{} at training sample {}",
                                 of_task(model, static_cast<Index>(k)), row + 1),
                     f, exact.tasks[k].z[i], size);
    }
  }
}

void check_answer(Claims& claims, const Model& model, TaskSet& set, TrainingData& found,
                  const Context& context, Verification& result) {
  fit_to_loss(found.kernels, set.loss);
  for (Index part = 0; part < set.parts(); ++part) {
    check_weights_of(claims, model, set, part, found, context);
  }
  TaskDuals duals;
  const auto bank = exact_bank(found.kernels.sources);
  const bool feasible = claims.attempt("dual", [&] {
    duals = duals_of(model, set, found);
    check_duals(set, duals, *bank);
  });
  if (!feasible) return;
  claims.attempt("bounds", [&] {
    TasksCertificate exact = certify_again(model, set, found, duals, context);
    if (on_distances(set.loss)) restore_shift(model, found, exact.tasks.front().q);
    check_certificate(claims, model, set, exact, found, result);
    if (model.landmarks) check_functions(claims, model, set, exact, found);
    if (model.exact_certificate) {
      result.exact_recomputed =
          exact_bounds(set, {model.weights, model.gamma, duals.a, duals.witness},
                       found.kernels.exact, exact.bounds, context);
      check_bounds(claims, *model.exact_certificate, *result.exact_recomputed);
    }
    if (model.product) {
      check_product(claims, *model.product, found, duals.a.front(), sample_counts(model), context);
    }
  });
}

}  // namespace

Verification verify(const Model& model, const Dataset& data, const Context& context) {
  const SerialBlas serial_blas;
  require_sound(model);
  TaskTargets targets = encode_targets(model.scheme, model.target, model.names, data.table,
                                       sample_count(data.table, data.matrices));
  Verification result;
  result.reported = model.certificate;
  result.exact_reported = model.exact_certificate;
  Claims claims(result.claims);
  auto found = find_training_data(claims, model, data, targets.values, context);
  const TaskTargets learned = targets;
  TaskSet set;
  if (found && claims.attempt("settings", [&] { set = task_set_of(model, std::move(targets)); })) {
    check_scaling(claims, model, *found);
    check_kernels(claims, model, *found, context);
    check_predictions(claims, model, data, *found, context);
    check_answer(claims, model, set, *found, context, result);
    check_calibration_again(claims, model, data, learned, *found, context);
  }
  conclude(claims, result);
  return result;
}

}  // namespace kernmix
