#include <algorithm>

#include "base/blas_threads.hpp"
#include "kernmix/bounded_certificate.hpp"
#include "kernmix/model/train.hpp"
#include "model/check.hpp"
#include "model/claims/kernel_claims.hpp"
#include "model/claims/prediction_claims.hpp"
#include "model/kernel_store.hpp"
#include "model/targets.hpp"

namespace kernmix {
namespace {

Vector kernel_weights(const Model& model) {
  Vector d;
  for (const ModelKernel& kernel : model.kernels) d.push_back(kernel.weight);
  return d;
}

Vector kernel_norms(const Model& model) {
  Vector norms;
  for (const ModelKernel& kernel : model.kernels) norms.push_back(kernel.norm);
  return norms;
}

/// As its settings have it; weights of two-stage regularizers are not known yet.
Task task_of(const Model& model, const Vector& y) {
  Task task;
  task.loss = parse_loss(model.settings.loss);
  task.regularizer = model_regularizer(model);
  task.kernels = kernel_descriptions(model);
  task.classes = model.classes;
  task.class_weights = model.settings.class_weights;
  task.y = y;
  task.C = loss_weights(loss_weight(task.loss, model.settings.C, length(y)), task.class_weights, y,
                        model.sample_weights);
  task.bias = parse_bias(model.settings.bias);
  check_loss(task.loss, task.bias, task.y, task.C);
  return task;
}

void check_own_predictions(Claims& claims, const Model& model, const Dataset& data,
                           const TrainingData& found, const Context& context) {
  const std::vector<Index> samples = samples_to_predict(model.training_samples);
  claims.attempt("predictions", [&] {
    const Prediction prediction = predict(model, samples_of(data, samples), context);
    const Vector d = kernel_weights(model);
    check_predictions(claims, model, found, {{"", d, model.coefficients, model.bias}}, samples,
                      as_column(prediction.decision));
  });
}

/// Weights and dual vectors of the model on its training samples.
struct ModelAnswer {
  Vector d;
  Vector a;
  Vector proof;  ///< maybe empty
};

ModelAnswer answer_of(const Model& model, const TrainingData& found) {
  const Index n = model.training_samples;
  return {kernel_weights(model), on_training_rows(model.coefficients, found.rows, n),
          model.proof.empty() ? Vector() : on_training_rows(model.proof, found.rows, n)};
}

/// Kernels of distances have a shift that depends on the order of the samples: in another order
/// than that of training the first kernel with weight tells what it was.
void restore_shift(const Model& model, const TrainingData& found, Vector& q) {
  if (found.rows == model.support) return;
  const auto has_weight = [](const ModelKernel& kernel) { return kernel.weight > 0.0; };
  const auto used = std::ranges::find_if(model.kernels, has_weight);
  if (used == model.kernels.end()) return;
  const double norm = used->norm / used->weight;
  const double change = norm * norm - q[static_cast<std::size_t>(used - model.kernels.begin())];
  for (double& form : q) form += change;
}

/// What follows from the certificate at the model's answer.
void check_certificate(Claims& claims, const Model& model, const Task& task,
                       const ModelAnswer& answer, const TrainingData& found, CertifiedPoint point) {
  const Certificate& certificate = point.certificate;
  const double size = certificate.size();
  check_bounds(claims, model.certificate, certificate);
  if (on_distances(task.loss)) restore_shift(model, found, point.Q.values);
  check_norms(claims, "", kernel_norms(model), answer.d, point.Q.row(0), size);
  claims.compare("bias", "the bias of the certificate", model.certificate.bias, model.bias, 0.0);
  check_bias(claims, "", model.bias,
             {task.loss, task.bias, task.y, task.C, point.Z.row(0), certificate.only_bias(), size});
}

void check_answer(Claims& claims, const Model& model, Task& task, TrainingData& found,
                  const Context& context, Verification& result) {
  fit_to_loss(found.kernels, task.loss);
  const ModelAnswer answer = answer_of(model, found);
  check_task_weights(claims, model, task, found.kernels.sources, answer.d, "", context);
  task.regularizer = with_chosen_weights(task.regularizer, answer.d);
  const ReferenceKernels exact(found.kernels.sources, context);
  const Problem problem = task.problem(exact.bank());
  const bool feasible = claims.attempt("dual", [&] {
    (void)feasible_duals(problem, {answer.a});
    if (!answer.proof.empty()) (void)feasible_duals(problem, {answer.proof});
  });
  if (!feasible) return;
  claims.attempt("bounds", [&] {
    std::vector<Vector> witness;
    if (!answer.proof.empty()) witness.push_back(answer.proof);
    CertifiedPoint point = exact.certify(problem, answer.d, {answer.a}, witness, context);
    result.recomputed = {point.certificate, point.certificate.only_bias()};
    check_certificate(claims, model, task, answer, found, std::move(point));
  });
}

}  // namespace

Verification verify(const Model& model, const Dataset& data, const Context& context) {
  const SerialBlas serial_blas;
  require_sound(model);
  const Vector y = target_values(model.target, model.classes, data.table,
                                 sample_count(data.table, data.matrices));
  Verification result;
  result.reported = model.certificate;
  Claims claims(result.claims);
  auto found = find_training_data(claims, model, data, as_column(y), context);
  Task task;
  if (found && claims.attempt("settings", [&] { task = task_of(model, y); })) {
    check_scaling(claims, model, *found);
    check_kernels(claims, model, *found, context);
    check_own_predictions(claims, model, data, *found, context);
    check_answer(claims, model, task, *found, context, result);
    check_status(claims, model.settings.status,
                 model.certificate.relative_gap() <= model.settings.tolerance);
  }
  conclude(claims, result);
  return result;
}

}  // namespace kernmix
