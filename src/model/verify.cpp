#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>

#include "blas_threads.hpp"
#include "kernmix/bounded_certificate.hpp"
#include "kernmix/error.hpp"
#include "kernmix/model/train.hpp"
#include "model/fingerprint.hpp"
#include "model/pipeline.hpp"
#include "model/targets.hpp"
#include "model/task.hpp"

namespace kernmix {
namespace {

constexpr double agreement = 1e-9;

/// The row of each support vector in `table`: by sample id where both sides have ids.
std::optional<std::vector<Index>> support_rows(const Model& model, const Table& table) {
  if (model.support_ids.empty() || table.ids.empty()) return model.support;
  std::unordered_map<std::string, Index> row;
  for (std::size_t i = 0; i < table.ids.size(); ++i) row[table.ids[i]] = static_cast<Index>(i);
  std::vector<Index> rows;
  for (const std::string& id : model.support_ids) {
    const auto found = row.find(id);
    if (found == row.end()) return std::nullopt;
    rows.push_back(found->second);
  }
  return rows;
}

/// Do the support vectors of the model have the values of these rows, bit by bit?
bool same_values(const Model& model, const FeatureColumns& features,
                 const std::vector<Index>& rows) {
  for (Index s = 0; s < model.support_values.rows; ++s) {
    for (Index j = 0; j < model.support_values.cols; ++j) {
      const auto column = features.place(model.columns[static_cast<std::size_t>(j)]);
      const double value =
          features.raw()(rows[static_cast<std::size_t>(s)], static_cast<Index>(column));
      if (value != model.support_values(s, j)) return false;
    }
  }
  return true;
}

double difference(const Certificate& left, const Certificate& right) {
  const double largest =
      std::max({std::abs(left.primal - right.primal), std::abs(left.dual - right.dual),
                std::abs(left.gap - right.gap)});
  return largest / std::max(std::abs(left.primal), std::numeric_limits<double>::min());
}

Task task_of(const Model& model, const Vector& y) {
  Task task;
  task.loss = parse_loss(model.settings.loss);
  Vector d;
  for (const ModelKernel& kernel : model.kernels) d.push_back(kernel.weight);
  task.regularizer = with_chosen_weights(with_groups(parse_regularizer(model.settings.regularizer),
                                                     kernel_groups(kernel_descriptions(model))),
                                         std::move(d));
  task.classes = model.classes;
  task.class_weights = model.settings.class_weights;
  task.y = y;
  task.C = loss_weights(loss_weight(task.loss, model.settings.C, length(y)), task.class_weights, y,
                        model.sample_weights);
  task.bias = parse_bias(model.settings.bias);
  return task;
}

Certificate recompute(const Model& model, const Task& task, const TrainingKernels& kernels,
                      const std::vector<Index>& rows, const Context& context) {
  Vector d;
  for (const ModelKernel& kernel : model.kernels) d.push_back(kernel.weight);
  const auto on_all_rows = [&](const Vector& values) {
    Vector a(task.y.size(), 0.0);
    for (std::size_t s = 0; s < rows.size(); ++s) a[static_cast<std::size_t>(rows[s])] = values[s];
    return a;
  };
  const ReferenceKernels exact(kernels.sources, context);
  const Problem problem = task.problem(exact.bank());
  try {
    check_loss(task.loss, task.bias, task.y, task.C);
    const Vector proof = model.proof.empty() ? Vector() : on_all_rows(model.proof);
    return exact.certify(problem, d, on_all_rows(model.coefficients), proof, context).certificate;
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
  const auto rows = support_rows(model, data.table);
  if (!rows || length(y) != model.training_samples) return result;

  const auto matrices = match_matrices(model.matrices, data.matrices);
  TrainingKernels kernels = training_kernels(data.table, matrices, kernel_descriptions(model),
                                             model.scaling.rule, context);
  result.same_data = fingerprint(y, kernels, model.sample_weights) == model.training_hash &&
                     same_values(model, kernels.features, *rows);
  if (!result.same_data) return result;

  Task task = task_of(model, y);
  fit_to_loss(kernels, task.loss);
  result.recomputed = recompute(model, task, kernels, *rows, context);
  result.difference = difference(result.recomputed, result.reported);
  result.agrees = result.difference <= agreement;
  return result;
}

}  // namespace kernmix
