// f(x_i) = sum_m d_m sum_j a_j k_m(x_i, x_j) + b, and f(x_i) without j = i: what a new sample at
// x_i would get
//
// equal:        max f - min f <= 1e-9 max_i |a_i| k(x_i, x_i), or without j = i
//               <= 1e-6 (max f - min f)
// interpolates: sum (y_i - f(x_i))^2 <= exactness * sum (y_i - mean y)^2

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/linear_algebra.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "model/warnings/warnings.hpp"

namespace kernmix {
namespace {

constexpr Index most_sampled_rows = 200;
constexpr Index least_sampled_rows = 20;
constexpr double most_products = 4e8;
constexpr Index rows_together = 8;

double spread_of(ConstSpan values) {
  const auto [least, most] = std::ranges::minmax_element(values);
  return *most - *least;
}

/// Decision values of all tasks at some samples.
class SampledDecisions {
 public:
  SampledDecisions(const TrainingKernels& kernels, std::span<const FittedTask> tasks,
                   const Context& context)
      : kernels_(kernels), tasks_(tasks), n_(kernels.sources.front()->rows()) {
    find_support();
    rows_ = spaced_samples(n_, affordable_rows());
    decision_ = own_ = RowMatrix::Zero(length(rows_), length(tasks_));
    largest_ = own_;
    parallel_blocks(context, length(rows_), rows_together,
                    [&](Index, Index begin, Index end) { evaluate(begin, end); });
  }

  /// Whether every sample, or every new one, has the same decision value.
  [[nodiscard]] bool are_equal(Index task) const {
    const Vector f = of(task, decision_);
    if (f.size() < 2) return false;
    constexpr double rounding = 1e-9;
    if (spread_of(f) <= rounding * std::ranges::max(of(task, largest_))) return true;
    constexpr double hardly = 1e-6;
    return leaves_out_ && spread_of(of(task, decision_ - own_)) <= hardly * spread_of(f);
  }

  [[nodiscard]] bool meet_their_targets(Index task) const {
    const FittedTask& fitted = tasks_[to_size(task)];
    if (fitted.y.empty()) return false;
    Vector y;
    for (const Index row : places(task)) y.push_back(fitted.y[place_in(fitted, row)]);
    const Vector f = of(task, decision_);
    if (f.size() < 2) return false;
    const Eigen::ArrayXd target = as_vector(ConstSpan(y)).array();
    const Eigen::ArrayXd error = target - as_vector(ConstSpan(f)).array() - fitted.bias;
    const double variation = (target - target.mean()).square().sum();
    return variation > 0.0 && error.square().sum() <= fitted.exactness * variation;
  }

 private:
  /// The place of sample `rows_[row]` among those of a task, which has it.
  [[nodiscard]] std::size_t place_in(const FittedTask& task, Index row) const {
    const Index sample = rows_[to_size(row)];
    if (task.rows.empty()) return to_size(sample);
    return to_size(std::ranges::lower_bound(task.rows, sample) - task.rows.begin());
  }

  /// Which of rows_ the task has.
  [[nodiscard]] std::vector<Index> places(Index task) const {
    const std::vector<Index>& own = tasks_[to_size(task)].rows;
    std::vector<Index> found;
    for (Index row = 0; row < length(rows_); ++row) {
      const Index sample = rows_[to_size(row)];
      if (own.empty() || std::ranges::binary_search(own, sample)) found.push_back(row);
    }
    return found;
  }

  [[nodiscard]] Vector of(Index task, const RowMatrix& values) const {
    Vector column;
    for (const Index row : places(task)) column.push_back(values(row, task));
    return column;
  }

  [[nodiscard]] bool has_weight(Index m) const {
    return std::ranges::any_of(tasks_,
                               [m](const FittedTask& task) { return task.d[to_size(m)] > 0.0; });
  }

  [[nodiscard]] static std::size_t sample_of_entry(const FittedTask& task, std::size_t i) {
    return task.rows.empty() ? i : to_size(task.rows[i]);
  }

  /// Support vectors of any task, and kernels that any has weight on.
  void find_support() {
    std::vector<Index> place(to_size(n_), -1);
    for (const FittedTask& task : tasks_) {
      for (std::size_t i = 0; i < task.a.size(); ++i) {
        if (task.a[i] != 0.0) place[sample_of_entry(task, i)] = 0;
      }
    }
    for (std::size_t i = 0; i < place.size(); ++i) {
      if (place[i] < 0) continue;
      place[i] = length(support_);
      support_.push_back(static_cast<Index>(i));
    }
    dual_ = RowMatrix::Zero(length(support_), length(tasks_));
    for (Index k = 0; k < length(tasks_); ++k) {
      const FittedTask& task = tasks_[to_size(k)];
      for (std::size_t i = 0; i < task.a.size(); ++i) {
        if (task.a[i] != 0.0) dual_(place[sample_of_entry(task, i)], k) = task.a[i];
      }
    }
    largest_dual_ = Eigen::RowVectorXd::Zero(length(tasks_));
    if (!support_.empty()) largest_dual_ = dual_.cwiseAbs().colwise().maxCoeff();
    for (Index m = 0; m < length(kernels_.sources); ++m) {
      if (has_weight(m)) used_.push_back(m);
    }
  }

  [[nodiscard]] Index affordable_rows() const {
    const double products = static_cast<double>(support_.size()) *
                            static_cast<double>(used_.size()) * static_cast<double>(tasks_.size());
    if (products * static_cast<double>(most_sampled_rows) <= most_products)
      return most_sampled_rows;
    return std::max(least_sampled_rows, static_cast<Index>(most_products / products));
  }

  void evaluate(Index begin, Index end) {
    const std::span<const Index> rows(rows_.data() + begin, to_size(end - begin));
    RowMatrix block(end - begin, length(support_));
    Vector diagonal(1);
    for (const Index m : used_) {
      const KernelSource& source = *kernels_.sources[to_size(m)];
      if (!support_.empty()) source.block(rows, support_, as_span(block));
      const RowMatrix products = block * dual_;
      for (Index r = 0; r < end - begin; ++r) {
        const std::span<const Index> itself = rows.subspan(to_size(r), 1);
        source.block(itself, itself, diagonal);
        add(m, begin + r, products.row(r), diagonal[0]);
      }
    }
  }

  void add(Index m, Index row, const Eigen::RowVectorXd& products, double diagonal) {
    const Index sample = rows_[to_size(row)];
    const auto at = std::ranges::lower_bound(support_, sample);
    const bool supports = at != support_.end() && *at == sample;
    for (Index k = 0; k < length(tasks_); ++k) {
      const double d = tasks_[to_size(k)].d[to_size(m)];
      decision_(row, k) += d * products(k);
      largest_(row, k) += d * diagonal * largest_dual_(k);
      if (supports) own_(row, k) += d * diagonal * dual_(at - support_.begin(), k);
    }
  }

  const TrainingKernels& kernels_;
  std::span<const FittedTask> tasks_;
  Index n_;
  bool leaves_out_ = !kernels_.sources.front()->definite_on_differences_only();
  std::vector<Index> support_;       ///< of any task
  RowMatrix dual_;                   ///< |support| x T
  Eigen::RowVectorXd largest_dual_;  ///< max |a| of each task
  std::vector<Index> used_;          ///< kernels with weight
  std::vector<Index> rows_;          ///< samples that are looked at
  RowMatrix decision_;               ///< |rows| x T, without the bias
  RowMatrix own_;                    ///< |rows| x T, the term j = i
  RowMatrix largest_;                ///< |rows| x T, what that term may be
};

/// ", of 2 of 3 tasks: a, b", or nothing where there is one task only.
std::string which_tasks(const std::vector<FittedTask>& tasks,
                        const std::vector<std::string>& names) {
  if (tasks.size() == 1 && tasks.front().name.empty()) return "";
  return fmt::format(" of {} of {} tasks ({})", names.size(), tasks.size(), first_names(names));
}

}  // namespace

void warn_of_decisions(const TrainingKernels& kernels, const std::vector<FittedTask>& tasks,
                       const Context& context, std::vector<Warning>& warnings) {
  constexpr std::size_t tasks_together = 64;  // whose dual vectors are copied
  std::vector<std::string> equal;
  std::vector<std::string> exact;
  for (std::size_t first = 0; first < tasks.size(); first += tasks_together) {
    const auto some =
        std::span(tasks).subspan(first, std::min(tasks_together, tasks.size() - first));
    const SampledDecisions decisions(kernels, some, context);
    for (Index k = 0; k < length(some); ++k) {
      const std::string& name = some[to_size(k)].name;
      if (decisions.are_equal(k)) equal.push_back(name);
      if (decisions.meet_their_targets(k)) exact.push_back(name);
    }
  }
  if (!equal.empty()) {
    warnings.push_back({"equal-decisions",
                        fmt::format("All new samples get the same decision value{}: the answer "
                                    "tells none from another. Take other kernels or a larger C.",
                                    which_tasks(tasks, equal)),
                        {}});
  }
  if (!exact.empty()) {
    warnings.push_back({"interpolates",
                        fmt::format("The decision values{} meet every training target exactly: "
                                    "how well it fits the training samples says nothing about "
                                    "others. Judge it on samples held out, and try a smaller C.",
                                    which_tasks(tasks, exact)),
                        {}});
  }
}

}  // namespace kernmix
