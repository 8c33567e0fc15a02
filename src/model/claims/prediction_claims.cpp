#include "model/claims/prediction_claims.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/linear_algebra.hpp"
#include "base/samples.hpp"
#include "kernmix/kernel.hpp"
#include "model/claims/kernel_claims.hpp"
#include "model/landmarks/landmarks.hpp"
#include "model/prediction_kernels.hpp"
#include "model/thresholds/folds.hpp"
#include "problem/without_end.hpp"

namespace kernmix {
namespace {

constexpr Index kMostPredicted = 64;

/// Decision values with the magnitude of their terms.
struct Decisions {
  RowMatrix value;          ///< |samples| x T
  Eigen::RowVectorXd size;  ///< of each task
};

/// Removes a shift of the spectrum, which affects the diagonal (absent in the row of a new sample)
/// and the mean.
void take_off_shift(const ModelKernel& kernel, const TrainingData& found, const Vector& shares,
                    const std::vector<Index>& samples, Matrix& entries) {
  if (kernel.repair.rule != Repair::shift || !kernel.repair.changed()) return;
  const double shift = kernel.normalization.scale * -kernel.repair.smallest;
  for (Index i = 0; i < entries.rows; ++i) {
    for (Index s = 0; s < entries.cols; ++s) {
      if (found.rows[to_size(s)] == samples[to_size(i)]) entries(i, s) -= shift;
      if (kernel.normalization.rule.center)
        entries(i, s) += shift * shares[to_size(samples[to_size(i)])];
    }
  }
}

/// b_k + sum_m d_mk K_m[:, P] W_k(m, .) from the training kernels.
Decisions decide_by_landmarks(const Model& model, const TrainingData& found,
                              const std::vector<Index>& samples) {
  const Index T = length(model.tasks);
  Decisions all{RowMatrix::Zero(length(samples), T), Eigen::RowVectorXd::Zero(T)};
  for (Index k = 0; k < T; ++k) {
    const TaskModel& task = model.tasks[to_size(k)];
    all.value.col(k).setConstant(task.bias);
    all.size[k] =
        std::abs(task.bias) + landmark_decision_size(found.kernels, model.task_weights(k),
                                                     model.landmarks->coefficients[to_size(k)]);
  }
  Matrix entries(length(samples), length(found.rows));
  for (Index m = 0; m < length(model.kernels); ++m) {
    if (model.kernels[to_size(m)].weight == 0.0) continue;
    found.kernels.exact[to_size(m)]->block(samples, found.rows, entries.values);
    const Matrix W = landmark_weights(*model.landmarks, m);
    const RowMatrix products = as_matrix(entries) * as_matrix(W);
    for (Index k = 0; k < T; ++k) {
      all.value.col(k) += model.task_weights(k)[to_size(m)] * products.col(k);
    }
  }
  return all;
}

/// sum_m d_mk K_m a_k + b_k from the training kernels.
Decisions decide(const Model& model, const TrainingData& found, const std::vector<Index>& samples) {
  const Loss loss = model.settings.loss;
  const Matrix coefficients = coefficients_of(model);
  const auto a = as_matrix(coefficients);
  const Eigen::RowVectorXd sizes = a.cwiseAbs().colwise().sum();
  Decisions all{RowMatrix::Zero(length(samples), a.cols()), Eigen::RowVectorXd::Zero(a.cols())};
  for (Index k = 0; k < a.cols(); ++k) {
    const double bias = model.tasks[to_size(k)].bias;
    all.value.col(k).setConstant(bias);
    all.size[k] = std::abs(bias);
  }
  Matrix entries(length(samples), a.rows());
  const Vector shares = sample_shares(model);
  for (std::size_t m = 0; m < model.kernels.size(); ++m) {
    if (model.kernels[m].weight == 0.0) continue;
    const KernelSourcePtr& source = found.kernels.sources[m];
    const KernelSize size = size_of(*source, found.kernels.normalizations[m]);
    // As in prediction: distances without their shift.
    const KernelSourcePtr seen = on_distances(loss) ? distance_source(source, 0.0) : source;
    seen->block(samples, found.rows, entries.values);
    take_off_shift(model.kernels[m], found, shares, samples, entries);
    const RowMatrix products = as_matrix(entries) * a;
    for (Index k = 0; k < a.cols(); ++k) {
      const double d = model.task_weights(k)[m];
      all.value.col(k) += d * products.col(k);
      all.size[k] += d * size.largest * sizes[k];
    }
  }
  return all;
}

}  // namespace

void compare_predictions(Claims& claims, const Model& model, const TrainingData& found,
                         const std::vector<Index>& samples, const Matrix& predicted) {
  const Decisions exact =
      model.landmarks ? decide_by_landmarks(model, found, samples) : decide(model, found, samples);
  for (Index i = 0; i < predicted.rows; ++i) {
    for (Index k = 0; k < predicted.cols; ++k) {
      claims.compare("predictions",
                     fmt::format("the decision value{} of training sample {}", of_task(model, k),
                                 samples[to_size(i)] + 1),
                     predicted(i, k), exact.value(i, k), exact.size[k]);
    }
  }
}

void check_predictions(Claims& claims, const Model& model, const Dataset& data,
                       const TrainingData& found, const Context& context) {
  const std::vector<Index> samples = spaced_samples(model.training_samples, kMostPredicted);
  claims.attempt("predictions", [&] {
    const Prediction predicted =
        predict(model, part_of(data, samples, {}, {}), without_end(context));
    compare_predictions(claims, model, found, samples, predicted.task_decision);
  });
}

}  // namespace kernmix
