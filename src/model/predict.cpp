#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/blas_threads.hpp"
#include "base/linear_algebra.hpp"
#include "kernmix/error.hpp"
#include "kernmix/train.hpp"
#include "model/check.hpp"
#include "model/pair_votes.hpp"
#include "model/prediction_kernels.hpp"

namespace kernmix {
namespace {

/// sum_m f_mk(x_i) of the samples `rows` for every task: |rows| x T. Every kernel is evaluated
/// once.
class BlockDecisions {
 public:
  BlockDecisions(const Model& model, const PredictionKernels& kernels)
      : model_(model), kernels_(kernels), coefficients_(coefficients_of(model)) {}

  [[nodiscard]] RowMatrix at(std::span<const Index> rows, MutableSpan contributions) const {
    return coefficients_.cols == 1 ? single(rows, contributions) : many(rows);
  }

 private:
  /// \param contributions  |rows| x |kernels|, or empty
  [[nodiscard]] RowMatrix single(std::span<const Index> rows, MutableSpan contributions) const;
  [[nodiscard]] RowMatrix many(std::span<const Index> rows) const;

  const Model& model_;
  const PredictionKernels& kernels_;
  Matrix coefficients_;  ///< |support| x T
};

RowMatrix BlockDecisions::single(std::span<const Index> rows, MutableSpan contributions) const {
  Matrix entries(length(rows), coefficients_.rows);
  RowMatrix sum = RowMatrix::Zero(entries.rows, 1);
  const std::size_t M = kernels_.kernels().size();
  for (std::size_t k = 0; k < M; ++k) {
    kernels_.block(k, rows, entries.values);
    const double weight = model_.weights(0, kernels_.kernels()[k]);
    for (Index r = 0; r < entries.rows; ++r) {
      const ConstSpan row = entries.row(r);
      const double value =
          weight * std::inner_product(row.begin(), row.end(), coefficients_.values.begin(), 0.0);
      sum(r, 0) += value;
      if (!contributions.empty()) contributions[to_size(r) * M + k] = value;
    }
  }
  return sum;
}

RowMatrix BlockDecisions::many(std::span<const Index> rows) const {
  Matrix entries(length(rows), coefficients_.rows);
  RowMatrix combined = RowMatrix::Zero(entries.rows, entries.cols);
  RowMatrix sum = RowMatrix::Zero(entries.rows, coefficients_.cols);
  const bool shared = model_.weights.rows == 1;
  for (std::size_t i = 0; i < kernels_.kernels().size(); ++i) {
    kernels_.block(i, rows, entries.values);
    const Index m = kernels_.kernels()[i];
    if (shared) {
      combined += model_.weights(0, m) * as_matrix(entries);
    } else {
      const auto d = as_matrix(model_.weights).col(m);
      sum += (as_matrix(entries) * as_matrix(coefficients_)) * d.asDiagonal();
    }
  }
  if (shared) sum.noalias() = combined * as_matrix(coefficients_);
  return sum;
}

void require_finite(const Matrix& decision, const std::string& source) {
  for (Index i = 0; i < decision.rows; ++i) {
    const auto finite = [](double value) { return std::isfinite(value); };
    if (!std::ranges::all_of(decision.row(i), finite)) refuse_decision(source, i + 1);
  }
}

void set_labels(const Model& model, Prediction& prediction) {
  for (Index i = 0; i < prediction.decision.rows; ++i) {
    for (Index t = 0; t < prediction.decision.cols; ++t) {
      const double threshold = model.tasks[to_size(t)].threshold;
      prediction.has_label.push_back(prediction.decision(i, t) >= threshold ? 1 : 0);
    }
  }
}

void set_winners(const Model& model, Prediction& prediction) {
  const TaskModel& only = model.tasks.front();
  for (Index i = 0; i < prediction.decision.rows; ++i) {
    const ConstSpan row = prediction.decision.row(i);
    prediction.winner.push_back(!model.single()    ? std::ranges::max_element(row) - row.begin()
                                : row.front() >= 0 ? only.positive
                                                   : only.negative);
  }
}

/// What follows from the decision values.
void decide(const Model& model, Prediction& prediction) {
  prediction.decision = model.scheme == TaskScheme::one_vs_one
                            ? pair_votes(model.tasks, length(model.names), prediction.task_decision)
                            : prediction.task_decision;
  if (model.of_labels()) {
    set_labels(model, prediction);
  } else if (model.target != Target::numbers) {
    set_winners(model, prediction);
  }
  const bool compete = !model.single() && !model.of_labels();  // which leaves no odds of each
  if (compete) return;
  if (!gives_probability(parse_loss(model.settings.loss))) return;
  prediction.probability = prediction.decision;
  for (double& value : prediction.probability.values) value = 1.0 / (1.0 + std::exp(-value));
}

}  // namespace

Matrix pair_votes(const std::vector<TaskModel>& tasks, Index K, const Matrix& task_decision) {
  Matrix votes(task_decision.rows, K);
  for (Index i = 0; i < votes.rows; ++i) {
    Vector sum(to_size(K), 0.0);
    for (Index k = 0; k < task_decision.cols; ++k) {
      const TaskModel& task = tasks[to_size(k)];
      const double value = task_decision(i, k);
      votes(i, value >= 0.0 ? task.positive : task.negative) += 1.0;
      sum[to_size(task.positive)] += value;
      sum[to_size(task.negative)] -= value;
    }
    for (std::size_t c = 0; c < sum.size(); ++c) {
      votes(i, static_cast<Index>(c)) += sum[c] / (3.0 * (std::abs(sum[c]) + 1.0));
    }
  }
  return votes;
}

Prediction predict(const Model& model, const Dataset& data, const Context& context,
                   bool contributions) {
  const SerialBlas serial_blas;
  require_sound(model);
  if (contributions && !model.single()) {
    throw ParameterError("the model has many tasks, and contributions are those of one predictor");
  }
  for (const TaskModel& task : model.tasks) require_mean_kernel(model, task.coefficients);
  const PredictionKernels kernels(model, data);
  const BlockDecisions decisions(model, kernels);
  Prediction prediction;
  prediction.task_decision = Matrix(kernels.samples(), length(model.tasks));
  prediction.contributing = kernels.kernels();
  const Index M = contributions ? length(prediction.contributing) : 0;
  prediction.contributions = Matrix(contributions ? kernels.samples() : 0, M);
  kernels.for_blocks(context, [&](const std::vector<Index>& rows) {
    const MutableSpan parts = MutableSpan(prediction.contributions.values)
                                  .subspan(to_size(M * rows.front()), to_size(M) * rows.size());
    as_matrix(prediction.task_decision).middleRows(rows.front(), length(rows)) =
        decisions.at(rows, parts);
  });
  for (Index i = 0; i < prediction.task_decision.rows; ++i) {
    for (std::size_t k = 0; k < model.tasks.size(); ++k) {
      prediction.task_decision(i, static_cast<Index>(k)) += model.tasks[k].bias;
    }
  }
  require_finite(prediction.task_decision, data.table.source);
  decide(model, prediction);
  return prediction;
}

}  // namespace kernmix
