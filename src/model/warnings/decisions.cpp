// f(x_i) = sum_m d_m sum_j a_j k_m(x_i, x_j) + b, and f(x_i) without j = i: the decision value of a
// new sample at x_i
//
// equal:        max f - min f <= 1e-9 (max y - min y), or <= what sums of a_j k_m(x_i, x_j) round
// by,
//               or without j = i <= 1e-6 (max f - min f)
// interpolates: sum (y_i - f(x_i))^2 <= exactness * sum (y_i - mean y)^2

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "base/linear_algebra.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "model/landmarks/landmarks.hpp"
#include "model/warnings/warnings.hpp"

namespace kernmix {
namespace {

constexpr Index most_sampled_rows = 200;
constexpr Index least_sampled_rows = 20;
constexpr double most_products = 4e8;
constexpr Index rows_of_a_part = 8;

double spread_of(ConstSpan values) {
  const auto [least, most] = std::ranges::minmax_element(values);
  return *most - *least;
}

/// Decision values of all tasks at some samples.
class SampledDecisions {
 public:
  SampledDecisions(const TaskSet& set, const TrainingKernels& kernels, const Model& model,
                   const Context& context)
      : set_(set),
        kernels_(kernels),
        model_(model),
        support_(dual_rows(model)),
        dual_(as_matrix(coefficients_of(model))) {
    rows_ = spaced_samples(set.targets.samples(), affordable_rows());
    decision_ = own_ = rounding_ = RowMatrix::Zero(length(rows_), set.size());
    parallel_blocks(context, length(rows_), rows_of_a_part,
                    [&](Index, Index begin, Index end) { evaluate(begin, end); });
  }

  /// Whether all samples, or all new samples, have the same decision value.
  [[nodiscard]] bool are_equal(Index task) const {
    const Vector f = of(task, decision_);
    if (f.size() < 2) return false;
    constexpr double nothing = 1e-9;
    const double rounding = std::ranges::max(of(task, rounding_));
    if (spread_of(f) <= std::max(rounding, nothing * size_of_targets(task))) return true;
    constexpr double hardly = 1e-6;
    return leaves_out_ && spread_of(of(task, decision_ - own_)) <= hardly * spread_of(f);
  }

  /// Whether a numeric target has one value, which explains equal decisions.
  [[nodiscard]] bool are_of_one_value(Index task) const {
    return set_.targets.target == Target::numbers && size_of_targets(task) == 0.0;
  }

  [[nodiscard]] bool meet_their_targets(Index task) const {
    // Joint models and novelty detection have no target decision values.
    if (set_.joint() || set_.targets.target == Target::none) return false;
    Vector y;
    for (const Index row : places(task)) y.push_back(target_of(task, rows_[to_size(row)]));
    const Vector f = of(task, decision_);
    if (f.size() < 2) return false;
    const Eigen::ArrayXd target = as_vector(ConstSpan(y)).array();
    const Eigen::ArrayXd error =
        target - as_vector(ConstSpan(f)).array() - model_.tasks[to_size(task)].bias;
    const double variation = (target - target.mean()).square().sum();
    const bool classes = set_.targets.target == Target::classes;
    const double exactness = classes ? exact_classes : exact_numbers;
    return variation > 0.0 && error.square().sum() <= exactness * variation;
  }

 private:
  /// Range of the targets; for a novelty detector the threshold.
  [[nodiscard]] double size_of_targets(Index task) const {
    const double bias = std::abs(model_.tasks[to_size(task)].bias);
    return set_.targets.target == Target::none ? bias : spread_of(set_.task(task).y);
  }

  /// Indices of rows_ in the task.
  [[nodiscard]] std::vector<Index> places(Index task) const {
    const std::vector<Index>& own = set_.task(task).rows;
    std::vector<Index> found;
    for (Index row = 0; row < length(rows_); ++row) {
      const bool has = own.empty() || std::ranges::binary_search(own, rows_[to_size(row)]);
      if (has) found.push_back(row);
    }
    return found;
  }

  /// Target of a sample in the task.
  [[nodiscard]] double target_of(Index task, Index sample) const {
    const Task& own = set_.task(task);
    if (own.rows.empty()) return own.y[to_size(sample)];
    return own.y[to_size(std::ranges::lower_bound(own.rows, sample) - own.rows.begin())];
  }

  [[nodiscard]] Vector of(Index task, const RowMatrix& values) const {
    Vector column;
    for (const Index row : places(task)) column.push_back(values(row, task));
    return column;
  }

  [[nodiscard]] Index affordable_rows() const {
    const double products =
        static_cast<double>(dual_.size()) * static_cast<double>(kernels_used(model_));
    if (products * static_cast<double>(most_sampled_rows) <= most_products)
      return most_sampled_rows;
    return std::max(least_sampled_rows, static_cast<Index>(most_products / products));
  }

  void evaluate(Index begin, Index end) {
    const auto rows = slice(rows_, begin, end);
    Vector diagonal(1);
    for (Index m = 0; m < length(model_.kernels); ++m) {
      if (model_.kernels[to_size(m)].weight == 0.0) continue;
      const KernelSource& source = *kernels_.sources[to_size(m)];
      const RowMatrix weights =
          model_.landmarks ? RowMatrix(as_matrix(landmark_weights(*model_.landmarks, m))) : dual_;
      RowMatrix block(end - begin, weights.rows());
      if (!model_.support.empty()) as_written(m).block(rows, model_.support, as_span(block));
      const RowMatrix products = block * weights;
      const RowMatrix squares = block.cwiseAbs2() * weights.cwiseAbs2();
      for (Index r = 0; r < end - begin; ++r) {
        const std::span<const Index> itself = rows.subspan(to_size(r), 1);
        source.block(itself, itself, diagonal);
        add(m, begin + r, products.row(r), diagonal[0]);
        add_rounding(m, begin + r, squares.row(r));
      }
    }
  }

  void add(Index m, Index row, const Eigen::RowVectorXd& products, double diagonal) {
    const Index sample = rows_[to_size(row)];
    const auto at = std::ranges::lower_bound(support_, sample);
    const bool supports = at != support_.end() && *at == sample;
    for (Index k = 0; k < set_.size(); ++k) {
      const double d = model_.task_weights(k)[to_size(m)];
      decision_(row, k) += d * products(k);
      if (supports) own_(row, k) += d * diagonal * dual_(at - support_.begin(), k);
    }
  }

  [[nodiscard]] const KernelSource& as_written(Index m) const {
    return model_.landmarks ? *kernels_.exact[to_size(m)] : *kernels_.sources[to_size(m)];
  }

  /// Adds the rounding error of a sum of S terms with independent errors.
  void add_rounding(Index m, Index row, const Eigen::RowVectorXd& squares) {
    const double terms = std::sqrt(static_cast<double>(dual_.rows()));
    constexpr double unit = std::numeric_limits<double>::epsilon();
    for (Index k = 0; k < set_.size(); ++k) {
      const double d = model_.task_weights(k)[to_size(m)];
      rounding_(row, k) += unit * d * terms * std::sqrt(squares(k));
    }
  }

  const TaskSet& set_;
  const TrainingKernels& kernels_;
  const Model& model_;
  bool leaves_out_ = !kernels_.sources.front()->definite_on_differences_only();
  std::vector<Index> support_;  ///< samples with a dual variable
  RowMatrix dual_;              ///< |support| x T
  std::vector<Index> rows_;     ///< the evaluated samples
  RowMatrix decision_;          ///< |rows| x T, without the bias
  RowMatrix own_;               ///< |rows| x T, the term j = i
  RowMatrix rounding_;          ///< |rows| x T, of decision_
};

}  // namespace

namespace {

/// Whether more than half of the weight is on kernels of these shapes.
bool is_mostly(std::initializer_list<KernelShape> chosen, const std::vector<KernelShape>& shapes,
               ConstSpan weights) {
  double all = 0.0;
  double own = 0.0;
  for (std::size_t m = 0; m < shapes.size(); ++m) {
    all += weights[m];
    if (std::ranges::find(chosen, shapes[m]) != chosen.end()) own += weights[m];
  }
  return own > 0.5 * all;
}

}  // namespace

void warn_of_decisions(const TaskSet& set, const TrainingKernels& kernels,
                       const std::vector<KernelShape>& shapes, const Model& model,
                       const Context& context, std::vector<Warning>& warnings) {
  // Products with all support vectors: whoever has stopped the run does not wait for them.
  if (context.should_stop()) return;
  // Perfect separation of the training samples is harmless for a smooth kernel.
  const Vector weights = kernel_weights(model);
  const bool may_harm = set.targets.target != Target::classes ||
                        is_mostly({KernelShape::identity, KernelShape::narrow}, shapes, weights);
  // The cause of both warnings, which C does not change.
  const bool are_identities = is_mostly({KernelShape::identity}, shapes, weights);
  std::vector<std::string> equal;
  std::vector<std::string> exact;
  const SampledDecisions decisions(set, kernels, model, context);
  for (Index k = 0; k < set.size(); ++k) {
    if (decisions.are_equal(k) && !decisions.are_of_one_value(k)) equal.push_back(set.name(k));
    if (may_harm && decisions.meet_their_targets(k)) exact.push_back(set.name(k));
  }
  if (!equal.empty()) {
    warnings.push_back(
        {"equal-decisions",
         fmt::format("All new samples get nearly the same decision value{}. Use {}.",
                     which_tasks(set, equal),
                     are_identities ? "wider kernels" : "other kernels or a larger C"),
         {}});
  }
  if (!exact.empty()) {
    warnings.push_back({"interpolates",
                        fmt::format("The decision values{} reproduce every training target, so the "
                                    "training error does not predict the error on new samples. "
                                    "Evaluate on held-out samples, and {}.",
                                    which_tasks(set, exact),
                                    are_identities ? "use wider kernels" : "try a smaller C"),
                        {}});
  }
}

}  // namespace kernmix
