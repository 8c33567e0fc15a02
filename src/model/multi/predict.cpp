#include <algorithm>
#include <cmath>

#include "base/blas_threads.hpp"
#include "base/linear_algebra.hpp"
#include "loss/any.hpp"
#include "loss/classes/logistic.hpp"
#include "model/check.hpp"
#include "model/multi/votes.hpp"
#include "model/prediction_kernels.hpp"

namespace kernmix {
namespace {

/// |support| x tasks.
Matrix all_coefficients(const MultiModel& model) {
  Matrix all(length(model.support), length(model.tasks));
  for (Index k = 0; k < all.cols; ++k) {
    const TaskModel& task = model.tasks[static_cast<std::size_t>(k)];
    for (std::size_t s = 0; s < task.support.size(); ++s) {
      all(task.support[s], k) = task.coefficients[s];
    }
  }
  return all;
}

/// sum_m f_mk(x) of the samples `rows`, |rows| x tasks; every kernel is evaluated once.
RowMatrix block_decisions(const MultiModel& model, const PredictionKernels& kernels,
                          const Matrix& coefficients, std::span<const Index> rows) {
  Matrix entries(length(rows), coefficients.rows);
  RowMatrix combined = RowMatrix::Zero(entries.rows, entries.cols);
  RowMatrix sum = RowMatrix::Zero(entries.rows, coefficients.cols);
  const bool shared = model.weights.rows == 1;
  for (std::size_t i = 0; i < kernels.kernels().size(); ++i) {
    kernels.block(i, rows, entries.values);
    const Index m = kernels.kernels()[i];
    if (shared) {
      combined += model.weights(0, m) * as_matrix(entries);
    } else {
      const auto d = as_matrix(model.weights).col(m);
      sum += (as_matrix(entries) * as_matrix(coefficients)) * d.asDiagonal();
    }
  }
  if (shared) sum.noalias() = combined * as_matrix(coefficients);
  return sum;
}

void require_finite_decisions(const Matrix& decision, const std::string& source) {
  for (Index i = 0; i < decision.rows; ++i) {
    const auto finite = [](double value) { return std::isfinite(value); };
    if (!std::ranges::all_of(decision.row(i), finite)) refuse_decision(source, i + 1);
  }
}

void predict_labels(const MultiModel& model, MultiPrediction& prediction) {
  const Matrix& decision = prediction.decision;
  for (Index i = 0; i < decision.rows; ++i) {
    for (Index t = 0; t < decision.cols; ++t) {
      const bool has = decision(i, t) >= model.tasks[static_cast<std::size_t>(t)].threshold;
      prediction.has_label.push_back(has ? 1 : 0);
    }
  }
  if (model.settings.loss != Logistic{}.text()) return;
  prediction.probability = decision;
  for (double& value : prediction.probability.values) value = 1.0 / (1.0 + std::exp(-value));
}

}  // namespace

Matrix pair_votes(const std::vector<TaskModel>& tasks, Index K, const Matrix& task_decision) {
  Matrix votes(task_decision.rows, K);
  for (Index i = 0; i < votes.rows; ++i) {
    Vector sum(static_cast<std::size_t>(K), 0.0);
    for (Index k = 0; k < task_decision.cols; ++k) {
      const TaskModel& task = tasks[static_cast<std::size_t>(k)];
      const double value = task_decision(i, k);
      votes(i, value >= 0.0 ? task.positive : task.negative) += 1.0;
      sum[static_cast<std::size_t>(task.positive)] += value;
      sum[static_cast<std::size_t>(task.negative)] -= value;
    }
    for (std::size_t c = 0; c < sum.size(); ++c) {
      votes(i, static_cast<Index>(c)) += sum[c] / (3.0 * (std::abs(sum[c]) + 1.0));
    }
  }
  return votes;
}

MultiPrediction predict_multi(const MultiModel& model, const Dataset& data,
                              const Context& context) {
  const SerialBlas serial_blas;
  require_sound(model);
  for (const TaskModel& task : model.tasks) require_mean_kernel(model, task.coefficients);
  const PredictionKernels kernels(model, data);
  const Matrix coefficients = all_coefficients(model);
  MultiPrediction prediction;
  prediction.task_decision = Matrix(kernels.samples(), length(model.tasks));
  kernels.for_blocks(context, [&](const std::vector<Index>& rows) {
    as_matrix(prediction.task_decision).middleRows(rows.front(), length(rows)) =
        block_decisions(model, kernels, coefficients, rows);
  });
  for (Index i = 0; i < prediction.task_decision.rows; ++i) {
    for (std::size_t k = 0; k < model.tasks.size(); ++k) {
      prediction.task_decision(i, static_cast<Index>(k)) += model.tasks[k].bias;
    }
  }
  require_finite_decisions(prediction.task_decision, data.table.source);
  prediction.decision = model.scheme == TaskScheme::one_vs_one
                            ? pair_votes(model.tasks, length(model.names), prediction.task_decision)
                            : prediction.task_decision;
  if (model.of_labels()) {
    predict_labels(model, prediction);
    return prediction;
  }
  for (Index i = 0; i < prediction.decision.rows; ++i) {
    const ConstSpan row = prediction.decision.row(i);
    prediction.winner.push_back(std::ranges::max_element(row) - row.begin());
  }
  return prediction;
}

}  // namespace kernmix
