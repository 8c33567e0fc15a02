#include "model/model_basis.hpp"

#include "kernmix/version.hpp"
#include "loss/dual_box.hpp"
#include "model/file/fingerprint.hpp"

namespace kernmix {
namespace {

std::vector<ModelKernel> model_kernels(const TrainingKernels& kernels,
                                       const WeightedKernels& answer,
                                       const std::vector<Index>& support) {
  std::vector<ModelKernel> result;
  for (std::size_t m = 0; m < kernels.descriptions.size(); ++m) {
    ModelKernel kernel{kernels.descriptions[m], kernels.normalizations[m], answer.weights[m],
                       answer.norms[m]};
    Vector means;
    if (kernel.weight > 0.0 && kernel.normalization.rule.center) {
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
void keep_columns(const TrainingKernels& kernels, ModelBasis& model) {
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

}  // namespace

bool needs_all_samples(const TaskBasis& task, const DualSet& set, ConstSpan kernel_weights) {
  if (sums_to_zero(set) || on_distances(task.loss)) return false;
  for (std::size_t m = 0; m < task.kernels.size(); ++m) {
    if (kernel_weights[m] > 0.0 && task.kernels[m].normalization.center) return true;
  }
  return false;
}

void fill_basis(const Dataset& data, const TrainOptions& options, const TrainingKernels& kernels,
                const WeightedKernels& answer, const Matrix& targets, ModelBasis& model) {
  model.training_samples = targets.rows;
  model.training_hash = fingerprint(targets, kernels, options.sample_weights);
  model.sample_weights = options.sample_weights;
  for (const MatrixView& view : kernels.matrices) model.matrices.push_back(view.name);
  for (const Index i : model.support) {
    if (!data.table.ids.empty())
      model.support_ids.push_back(data.table.ids[static_cast<std::size_t>(i)]);
  }
  model.kernels = model_kernels(kernels, answer, model.support);
  keep_columns(kernels, model);
}

ModelSettings settings_of(const TaskBasis& task, const TrainOptions& options,
                          const Vector& class_weights, const std::string& solver, Status status,
                          const Context& context) {
  return {.loss = loss_text(task.loss),
          .regularizer = regularizer_text(task.regularizer),
          .solver = solver,
          .status = status_name(status),
          .bias = bias_name(task.bias),
          .C = options.C,
          .class_weights = class_weights,
          .tolerance = options.solver.tolerance,
          .seed = context.seed,
          .version = KERNMIX_VERSION};
}

std::size_t data_bytes(const Dataset& data, const TrainingKernels& kernels) {
  std::size_t bytes = data.table.values.values.size() * sizeof(double) + kernels.features.bytes();
  for (const MatrixView& view : data.matrices) bytes += view.matrix.bytes();
  for (const KernelSourcePtr& source : kernels.sources) bytes += source->bytes();
  return bytes;
}

}  // namespace kernmix
