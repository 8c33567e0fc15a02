#include "kernmix/model/train.hpp"

#include <cmath>

#include "blas_threads.hpp"
#include "kernmix/version.hpp"
#include "model/certified_solve.hpp"
#include "model/fingerprint.hpp"
#include "model/pipeline.hpp"
#include "model/stopwatch.hpp"
#include "model/task.hpp"

namespace kernmix {
namespace {

std::vector<ModelKernel> model_kernels(const Task& task, const TrainingKernels& kernels,
                                       const CertifiedAnswer& answer,
                                       const std::vector<Index>& support) {
  std::vector<ModelKernel> result;
  for (std::size_t m = 0; m < task.kernels.size(); ++m) {
    const double weight = answer.solution.d[m];
    ModelKernel kernel{task.kernels[m], kernels.normalizations[m], weight,
                       weight * std::sqrt(answer.exact.q[m])};
    Vector means;
    if (weight > 0.0 && kernel.normalization.rule.center) {
      for (const Index i : support) {
        means.push_back(kernel.normalization.column_means[static_cast<std::size_t>(i)]);
      }
    }
    kernel.normalization.column_means = std::move(means);
    result.push_back(std::move(kernel));
  }
  return result;
}

/// Columns that kernels with weight read, their scaling, and their values for support vectors.
void keep_columns(const TrainingKernels& kernels, Model& model) {
  const FeatureColumns& features = kernels.features;
  std::vector<bool> used(features.names().size(), false);
  for (const ModelKernel& kernel : model.kernels) {
    if (kernel.weight == 0.0) continue;
    for (const std::string& column : kernel.description.columns)
      used[features.place(column)] = true;
  }
  std::vector<Index> kept;
  model.scaling.rule = features.scaling().rule;
  for (std::size_t j = 0; j < used.size(); ++j) {
    if (!used[j]) continue;
    kept.push_back(static_cast<Index>(j));
    model.columns.push_back(features.names()[j]);
    model.scaling.offset.push_back(features.scaling().offset[j]);
    model.scaling.divisor.push_back(features.scaling().divisor[j]);
  }
  model.support_values = Matrix(length(model.support), length(kept));
  for (Index s = 0; s < model.support_values.rows; ++s) {
    for (Index j = 0; j < model.support_values.cols; ++j) {
      model.support_values(s, j) = features.raw()(model.support[static_cast<std::size_t>(s)],
                                                  kept[static_cast<std::size_t>(j)]);
    }
  }
}

ModelSettings settings_of(const Task& task, const TrainOptions& options, const Solution& solution,
                          const Context& context) {
  return {.loss = loss_text(task.loss),
          .regularizer = regularizer_text(task.regularizer),
          .solver = solution.solver,
          .status = status_name(solution.status),
          .bias = bias_name(task.bias),
          .C = options.C,
          .class_weights = task.class_weights,
          .tolerance = options.solver.tolerance,
          .seed = context.seed,
          .version = KERNMIX_VERSION};
}

/// What is held during the whole run besides kernels that are stored.
std::size_t data_bytes(const Dataset& data, const TrainingKernels& kernels) {
  std::size_t bytes = data.table.values.values.size() * sizeof(double) + kernels.features.bytes();
  for (const MatrixView& view : data.matrices) bytes += view.matrix->values.size() * sizeof(double);
  for (const KernelSourcePtr& source : kernels.sources) bytes += source->bytes();
  return bytes;
}

Model make_model(const Dataset& data, const TrainOptions& options, const Task& task,
                 const TrainingKernels& kernels, const CertifiedAnswer& answer,
                 const Context& context) {
  Model model;
  model.target = loss_target(task.loss);
  model.classes = task.classes;
  model.settings = settings_of(task, options, answer.solution, context);
  model.certificate = answer.exact.certificate;
  model.bias = answer.exact.certificate.bias;
  model.training_samples = length(task.y);
  model.training_hash = fingerprint(task.y, kernels, options.sample_weights);
  model.sample_weights = options.sample_weights;
  for (const MatrixView& view : kernels.matrices) model.matrices.push_back(view.name);
  const Vector& proof = answer.solution.proof;
  for (Index i = 0; i < model.training_samples; ++i) {
    const auto row = static_cast<std::size_t>(i);
    const double in_proof = proof.empty() ? 0.0 : proof[row];
    if (answer.solution.a[row] == 0.0 && in_proof == 0.0) continue;
    model.support.push_back(i);
    model.coefficients.push_back(answer.solution.a[row]);
    if (!proof.empty()) model.proof.push_back(in_proof);
    if (!data.table.ids.empty()) model.support_ids.push_back(data.table.ids[row]);
  }
  model.kernels = model_kernels(task, kernels, answer, model.support);
  keep_columns(kernels, model);
  return model;
}

}  // namespace

TrainResult train(const Dataset& data, const TrainOptions& options, const Context& context) {
  const Stopwatch clock;
  const SerialBlas serial_blas;
  Task task = make_task(data, options);
  TrainingKernels kernels =
      training_kernels(data.table, data.matrices, task.kernels, options.scaling, context);
  fit_to_loss(kernels, task.loss);
  TrainResult result;
  result.plan.data_bytes = data_bytes(data, kernels);
  result.seconds.kernels = clock.seconds();
  CertifiedAnswer answer =
      solve_certified(task, kernels, options.solver, context, result.plan, result.seconds);
  result.model = make_model(data, options, task, kernels, answer, context);
  result.solution = std::move(answer.solution);
  result.seconds.total = clock.seconds();
  return result;
}

}  // namespace kernmix
