#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/blas_threads.hpp"
#include "base/linear_algebra.hpp"
#include "base/memory/memory_text.hpp"
#include "base/memory/room.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "data/prediction/shifted_names.hpp"
#include "kernel/row_products.hpp"
#include "kernmix/error.hpp"
#include "kernmix/train.hpp"
#include "model/check.hpp"
#include "model/landmarks/landmarks.hpp"
#include "model/named_matrices.hpp"
#include "model/pair_votes.hpp"
#include "model/pipeline.hpp"
#include "model/prediction_kernels.hpp"
#include "model/product/product.hpp"

namespace kernmix {
namespace {

/// K a, row by row, so that a prediction does not depend on other samples.
RowMatrix product(const Matrix& K, const Matrix& a) {
  if (a.cols > 1) {
    const Matrix z = row_products(K, a);
    return as_matrix(z);
  }
  RowMatrix z(K.rows, 1);
  for (Index i = 0; i < K.rows; ++i) {
    const ConstSpan row = K.row(i);
    z(i, 0) = std::inner_product(row.begin(), row.end(), a.values.begin(), 0.0);
  }
  return z;
}

/// decisions_at() with landmarks, whose coefficients are those of each kernel. \param coefficients
/// landmark_weights() of each kernel with weight
RowMatrix landmark_decisions_at(const Model& model, const PredictionKernels& kernels,
                                const std::vector<Matrix>& coefficients,
                                std::span<const Index> rows, MutableSpan contributions) {
  const Index T = length(model.tasks);
  const Index M = length(kernels.sources);
  const bool shared = model.weights.rows == 1;
  const std::vector<Index> landmarks = all_samples(length(model.support));
  Matrix entries(length(rows), length(landmarks));
  RowMatrix sum = RowMatrix::Zero(entries.rows, T);
  for (Index i = 0; i < M; ++i) {
    kernels.sources[to_size(i)]->block(rows, landmarks, entries.values);
    const RowMatrix own = product(entries, coefficients[to_size(i)]);
    for (Index k = 0; k < T; ++k) {
      const double d = model.weights(shared ? 0 : k, kernels.index[to_size(i)]);
      sum.col(k) += d * own.col(k);
      if (contributions.empty()) continue;
      Eigen::Map<RowMatrix>(contributions.data(), sum.rows(), M * T).col(k * M + i) =
          d * own.col(k);
    }
  }
  return sum;
}

/// sum_m f_mk(x_i) of the samples `rows` for every task: |rows| x T. Every kernel is evaluated
/// once.
/// \param coefficients  |support| x T
/// \param contributions |rows| x (T |kernels|), task by task, or empty
RowMatrix decisions_at(const Model& model, const PredictionKernels& kernels,
                       const Matrix& coefficients, std::span<const Index> rows,
                       MutableSpan contributions) {
  const bool shared = model.weights.rows == 1;
  const Index T = coefficients.cols;
  const Index M = length(kernels.sources);
  const std::vector<Index> support = all_samples(coefficients.rows);
  Matrix entries(length(rows), coefficients.rows);
  Matrix combined(shared ? entries.rows : 0, entries.cols);
  RowMatrix sum = RowMatrix::Zero(entries.rows, T);
  for (Index i = 0; i < M; ++i) {
    kernels.sources[to_size(i)]->block(rows, support, entries.values);
    const auto d = as_matrix(model.weights).col(kernels.index[to_size(i)]);
    if (!contributions.empty()) {
      const RowMatrix of_tasks = product(entries, coefficients);
      Eigen::Map<RowMatrix> of_kernels(contributions.data(), entries.rows, M * T);
      for (Index k = 0; k < T; ++k) {
        of_kernels.col(k * M + i) = d[shared ? 0 : k] * of_tasks.col(k);
      }
    }
    if (shared) {
      as_matrix(combined) += d[0] * as_matrix(std::as_const(entries));
    } else {
      sum += product(entries, coefficients) * d.asDiagonal();
    }
  }
  return shared ? product(combined, coefficients) : sum;
}

/// What kernel `place` adds to the decision values of the support vectors, on average: one number
/// for each task. \param of_kernels  with landmarks their coefficients, else empty
Vector mean_addition(const Model& model, const PredictionKernels& kernels,
                     const UnknownView& unknown, const Matrix& coefficients,
                     const std::vector<Matrix>& of_kernels) {
  constexpr Index most_looked_at = 1000;
  const Index T = length(model.tasks);
  Vector means(to_size(T), 0.0);
  if (!unknown.between) return means;
  const std::vector<Index> rows = spaced_samples(length(model.support), most_looked_at);
  PredictionKernels one;
  one.index = {kernels.index[to_size(unknown.kernel)]};
  one.sources = {unknown.between};
  const RowMatrix parts =
      model.landmarks
          ? landmark_decisions_at(model, one, {of_kernels[to_size(unknown.kernel)]}, rows, {})
          : decisions_at(model, one, coefficients, rows, {});
  for (Index k = 0; k < T; ++k) means[to_size(k)] = parts.col(k).mean();
  return means;
}

/// Adds to the decision values of samples that lack a view which all training samples had.
void add_unknown(const Model& model, const PredictionKernels& kernels, const Matrix& coefficients,
                 const std::vector<Matrix>& of_kernels, Prediction& prediction) {
  const Index T = length(model.tasks);
  const Index M = length(kernels.index);
  for (const UnknownView& unknown : kernels.unknown) {
    const Vector means = mean_addition(model, kernels, unknown, coefficients, of_kernels);
    for (Index i = 0; i < prediction.task_decision.rows; ++i) {
      if (unknown.present->place(i) >= 0) continue;
      for (Index k = 0; k < T; ++k) {
        prediction.task_decision(i, k) += means[to_size(k)];
        if (prediction.contributions.rows == 0) continue;
        prediction.contributions(i, k * M + unknown.kernel) += means[to_size(k)];
      }
    }
  }
}

void require_finite(const Matrix& decision, const Table& table) {
  for (Index i = 0; i < decision.rows; ++i) {
    const auto finite = [](double value) { return std::isfinite(value); };
    if (std::ranges::all_of(decision.row(i), finite)) continue;
    throw DataError(
        fmt::format("{}: the decision value of sample {} is not finite; its values are far outside "
                    "the training data",
                    table.source, table.before + i + 1));
  }
}

/// The labels or the class of each sample. \param values of the outputs; \param yes function of a
/// value and its output: whether the sample has this label, or the positive one of two classes
template <typename Yes>
void set_answers(const Model& model, const Matrix& values, const Yes& yes, Prediction& prediction) {
  const TaskModel& first = model.tasks.front();
  for (Index i = 0; i < values.rows; ++i) {
    const ConstSpan row = values.row(i);
    for (Index t = 0; model.of_labels() && t < values.cols; ++t) {
      prediction.has_label.push_back(yes(values(i, t), t) ? 1 : 0);
    }
    if (model.of_labels()) continue;
    prediction.winner.push_back(!model.single()       ? std::ranges::max_element(row) - row.begin()
                                : yes(row.front(), 0) ? first.positive
                                                      : first.negative);
  }
}

/// Derives labels and probabilities from the decision values.
void decide(const Model& model, Prediction& prediction) {
  prediction.decision = model.scheme == TaskScheme::one_vs_one
                            ? pair_votes(model.tasks, length(model.names), prediction.task_decision)
                            : prediction.task_decision;
  if (!model.calibration.empty()) {
    prediction.probability = calibrated_probabilities(model.calibration.maps, prediction.decision,
                                                      model.classes_compete());
    const auto likely = [](double p, Index) { return p > 0.5; };
    return set_answers(model, prediction.probability, likely, prediction);
  }
  if (model.target != Target::numbers) {
    const auto reached = [&](double value, Index t) {
      return value >= (model.of_labels() ? model.tasks[to_size(t)].threshold : 0.0);
    };
    set_answers(model, prediction.decision, reached, prediction);
  }
  if (!model.single() && !model.of_labels()) return;  // competing classes have no separate odds
  if (!gives_probability(model.settings.loss)) return;
  prediction.probability = prediction.decision;
  for (double& value : prediction.probability.values) value = 1.0 / (1.0 + std::exp(-value));
}

void require_answers(Index n, Index numbers, const Context& context) {
  const double bytes = static_cast<double>(n) * static_cast<double>(numbers) * sizeof(double);
  if (has_room(context, bytes)) return;
  throw ResourceError(
      fmt::format("the predictions of {} samples, of {} numbers each, take {}, and {} may be used; "
                  "predict fewer samples at a time or allow more memory",
                  n, numbers, memory_text(bytes), memory_text(context.memory_bytes)));
}

void stop_predicting_if_asked(const Context& context) {
  if (!context.should_stop()) return;
  throw ResourceError(
      fmt::format("predict: {} while samples were predicted: there is no result to write; predict "
                  "fewer samples or allow more time",
                  context.is_cancelled() ? "interrupted" : "the time limit was reached"));
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

Index predicted_at_once(Index support) {
  constexpr Index most_entries = 1 << 20;
  Index rows = predicted_together;
  while (rows > 1 && rows * support > most_entries) rows /= 2;
  return rows;
}

std::size_t prediction_bytes(Index support, const Context& context) {
  constexpr std::size_t matrices = 2;  // a kernel, and K(d)
  return to_size(context.workers() * predicted_at_once(support) * support) * matrices *
         sizeof(double);
}

Prediction predict_with(const Model& model, const PredictionKernels& kernels, Index n,
                        const Table& table, const Context& context, bool contributions) {
  const SerialBlas serial_blas;
  for (const TaskModel& task : model.tasks) require_mean_kernel(model, task.coefficients);
  const Matrix coefficients = model.landmarks ? Matrix() : coefficients_of(model);
  std::vector<Matrix> of_kernels;
  for (const Index m : kernels.index) {
    if (model.landmarks) of_kernels.push_back(landmark_weights(*model.landmarks, m));
  }
  Prediction prediction;
  const Index parts_of_one = contributions ? length(model.tasks) * length(kernels.index) : 0;
  require_answers(n, length(model.tasks) + parts_of_one, context);
  prediction.task_decision = Matrix(n, length(model.tasks));
  prediction.contributing = kernels.index;
  prediction.views = kernels.views;
  prediction.contributions = Matrix(contributions ? n : 0, parts_of_one);
  parallel_blocks(
      context, n, predicted_at_once(length(model.support)), [&](Index, Index begin, Index end) {
        stop_predicting_if_asked(context);
        const std::vector<Index> rows = index_range(begin, end);
        const MutableSpan parts =
            MutableSpan(prediction.contributions.values)
                .subspan(to_size(parts_of_one * begin), to_size(parts_of_one) * rows.size());
        as_matrix(prediction.task_decision).middleRows(begin, length(rows)) =
            model.landmarks ? landmark_decisions_at(model, kernels, of_kernels, rows, parts)
                            : decisions_at(model, kernels, coefficients, rows, parts);
      });
  add_unknown(model, kernels, coefficients, of_kernels, prediction);
  for (Index i = 0; i < prediction.task_decision.rows; ++i) {
    for (std::size_t k = 0; k < model.tasks.size(); ++k) {
      prediction.task_decision(i, static_cast<Index>(k)) += model.tasks[k].bias;
    }
  }
  require_finite(prediction.task_decision, table);
  decide(model, prediction);
  return prediction;
}

Prediction predict(const Model& model, const Dataset& data, const Context& context,
                   bool contributions) {
  require_sound(model);
  if (contributions) refuse_product(model, "the contribution of each kernel");
  refuse_shifted_names(data.table.columns, model.table_columns, data.table.source);
  const Index n = sample_count(data.table, data.matrices);
  for (const std::string& note : notes_on_columns(model, data)) context.tell(note);
  return predict_with(model, prediction_kernels(model, data), n, data.table, context,
                      contributions);
}

}  // namespace kernmix
