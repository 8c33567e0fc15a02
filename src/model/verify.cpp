#include <fmt/format.h>

#include <limits>

#include "blas_threads.hpp"
#include "kernmix/bounded_certificate.hpp"
#include "kernmix/error.hpp"
#include "kernmix/model/train.hpp"
#include "model/targets.hpp"
#include "model/task.hpp"
#include "model/training_data.hpp"

namespace kernmix {
namespace {

Vector kernel_weights(const Model& model) {
  Vector d;
  for (const ModelKernel& kernel : model.kernels) d.push_back(kernel.weight);
  return d;
}

Task task_of(const Model& model, const Vector& y) {
  Task task;
  task.loss = parse_loss(model.settings.loss);
  task.regularizer = with_chosen_weights(model_regularizer(model), kernel_weights(model));
  task.classes = model.classes;
  task.class_weights = model.settings.class_weights;
  task.y = y;
  task.C = loss_weights(loss_weight(task.loss, model.settings.C, length(y)), task.class_weights, y,
                        model.sample_weights);
  task.bias = parse_bias(model.settings.bias);
  return task;
}

Certificate recompute(const Model& model, const Task& task, const TrainingData& found,
                      const Context& context) {
  const Index n = model.training_samples;
  const ReferenceKernels exact(found.kernels.sources, context);
  const Problem problem = task.problem(exact.bank());
  try {
    check_loss(task.loss, task.bias, task.y, task.C);
    const Vector a = on_training_rows(model.coefficients, found.rows, n);
    const Vector proof =
        model.proof.empty() ? Vector() : on_training_rows(model.proof, found.rows, n);
    return exact.certify(problem, kernel_weights(model), a, proof, context).certificate;
  } catch (const ParameterError& failure) {
    throw DataError(fmt::format("the model contradicts its own settings: {}", failure.what()));
  }
}

}  // namespace

Verification verify(const Model& model, const Dataset& data, const Context& context) {
  const SerialBlas serial_blas;
  const Vector y = target_values(model.target, model.classes, data.table,
                                 sample_count(data.table, data.matrices));
  Verification result;
  result.reported = model.certificate;
  result.difference = std::numeric_limits<double>::infinity();
  auto found = find_training_data(model, data, as_column(y), context);
  if (!found) return result;
  result.same_data = true;
  Task task = task_of(model, y);
  fit_to_loss(found->kernels, task.loss);
  result.recomputed = recompute(model, task, *found, context);
  result.difference = certificate_difference(result.recomputed, result.reported);
  result.agrees = result.difference <= certificate_agreement;
  return result;
}

}  // namespace kernmix
