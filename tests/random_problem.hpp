#pragma once
/// \file
/// Small random MKL problems with a known mix of kernels, for tests.

#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "kernmix/bank/build.hpp"
#include "kernmix/error.hpp"
#include "kernmix/problem.hpp"
#include "kernmix/solve.hpp"
#include "loss/any.hpp"
#include "regularizer/any.hpp"

namespace kernmix::testing {

/// Groups 0, 1, 2, 0, 1, ... for regularizers that need groups and have none.
[[nodiscard]] inline Regularizer with_default_groups(Regularizer regularizer, Index M) {
  const bool has_groups = visit(
      []<typename R>(const R& r) {
        if constexpr (IsGrouped<R>) return !r.group.empty();
        return true;
      },
      regularizer);
  if (has_groups) return regularizer;
  std::vector<Index> group;
  for (Index m = 0; m < M; ++m) group.push_back(m % 3);
  return with_groups(std::move(regularizer), group);
}

/// A problem together with the bank that it borrows.
struct OwnedProblem {
  std::unique_ptr<KernelBank> bank;
  Vector y;
  Vector C;

  [[nodiscard]] Problem with(const Regularizer& regularizer, const Loss& loss = Hinge{},
                             Bias bias = Bias::free) const {
    return {*bank, loss, with_default_groups(regularizer, bank->kernels()), y, C, bias};
  }
};

/// Features and labels of two overlapping Gaussian classes; both classes occur. The first two
/// columns decide.
struct RandomData {
  Matrix X;
  Vector y;

  RandomData(unsigned seed, Index n, Index columns)
      : X(n, columns), y(static_cast<std::size_t>(n)) {
    std::mt19937 engine(seed);
    std::normal_distribution<double> normal;
    for (double& value : X.values) value = normal(engine);
    for (Index i = 0; i < n; ++i) {
      const double second = columns > 1 ? X(i, 1) : 0.0;
      const double score = X(i, 0) + 0.5 * second + 0.7 * normal(engine);
      y[static_cast<std::size_t>(i)] = score > 0.0 ? 1.0 : -1.0;
    }
    y[0] = 1.0;
    y[1] = -1.0;
  }

  /// Numbers to learn instead of the classes: a smooth function plus noise.
  [[nodiscard]] Vector targets(unsigned seed, double noise) const {
    std::mt19937 engine(seed);
    std::normal_distribution<double> normal;
    Vector targets(y.size());
    for (Index i = 0; i < X.rows; ++i) {
      targets[static_cast<std::size_t>(i)] =
          std::sin(2.0 * X(i, 0)) + 0.5 * X(i, 1) + noise * normal(engine);
    }
    return targets;
  }

  /// Two classes that take turns, `by` times two apart in the first columns.
  void tell_apart(Index columns, double by) {
    for (Index i = 0; i < X.rows; ++i) {
      const double label = i % 2 == 0 ? 1.0 : -1.0;
      y[static_cast<std::size_t>(i)] = label;
      for (Index c = 0; c < columns; ++c) X(i, c) += by * label;
    }
  }

  /// The linear kernel on each column.
  [[nodiscard]] std::vector<Matrix> lines() const {
    std::vector<Matrix> kernels(static_cast<std::size_t>(X.cols), Matrix(X.rows, X.rows));
    for (Index c = 0; c < X.cols; ++c) {
      Matrix& K = kernels[static_cast<std::size_t>(c)];
      for (Index i = 0; i < K.rows; ++i) {
        for (Index j = 0; j < K.cols; ++j) K(i, j) = X(i, c) * X(j, c);
      }
    }
    return kernels;
  }

  /// exp(-|x - z|^2 / (2 width^2)) over `columns`, mean diagonal 1.
  [[nodiscard]] Matrix gaussian(double width, const std::vector<Index>& columns) const {
    Matrix K(X.rows, X.rows);
    for (Index i = 0; i < X.rows; ++i) {
      for (Index j = 0; j < X.rows; ++j) {
        double square = 0.0;
        for (const Index c : columns) square += (X(i, c) - X(j, c)) * (X(i, c) - X(j, c));
        K(i, j) = std::exp(-square / (2.0 * width * width));
      }
    }
    return K;
  }

  /// Gaussian kernels of three widths on all columns and on each.
  [[nodiscard]] std::vector<Matrix> kernels() const {
    std::vector<Matrix> all;
    std::vector<Index> every(static_cast<std::size_t>(X.cols));
    for (Index c = 0; c < X.cols; ++c) every[static_cast<std::size_t>(c)] = c;
    for (const double width : {0.5, 1.0, 3.0}) {
      all.push_back(gaussian(width, every));
      for (const Index c : every) all.push_back(gaussian(width, {c}));
    }
    return all;
  }
};

[[nodiscard]] inline OwnedProblem make_problem(std::vector<Matrix> kernels, const Vector& y,
                                               double C) {
  return {dense_bank(std::move(kernels)), y, Vector(y.size(), C)};
}

[[nodiscard]] inline OwnedProblem random_problem(unsigned seed, Index n, Index columns, double C) {
  const RandomData data(seed, n, columns);
  return make_problem(data.kernels(), data.y, C);
}

/// Labels +1 and -1 as the numbers of two classes, which losses of all classes learn from.
[[nodiscard]] inline Vector class_numbers(Vector y) {
  for (double& label : y) label = label > 0.0 ? 1.0 : 0.0;
  return y;
}

/// Samples that suit the loss: classes, numbers, or none. C counts for losses without nu.
[[nodiscard]] inline OwnedProblem random_problem_for(const Loss& loss, unsigned seed, Index n,
                                                     Index columns, double C) {
  const RandomData data(seed, n, columns);
  const Target target = loss_target(loss);
  Vector y = data.y;
  if (target == Target::numbers) y = data.targets(seed, 0.2);
  if (target == Target::none) y.assign(y.size(), 0.0);
  if (joins_classes(loss)) {
    y = class_numbers(y);
    for (std::size_t i = 2; i < y.size(); i += 3) y[i] = 2.0;
  }
  return make_problem(data.kernels(), y, takes_cost(loss) ? C : loss_weight(loss, 1.0, n));
}

/// The bias rules that the loss takes: those with a threshold of their own only the free one.
[[nodiscard]] inline std::vector<Bias> bias_rules(const Loss& loss) {
  const bool separable = visit([]<typename L>(const L&) { return IsSeparableLoss<L>; }, loss);
  if (joins_classes(loss)) return {Bias::free, Bias::none};
  if (!separable) return {Bias::free};
  return {Bias::free, Bias::none, Bias::penalised};
}

/// Whether `solver` takes the pair.
[[nodiscard]] inline bool is_taken(const Loss& loss, const Regularizer& regularizer,
                                   const std::string& solver = "auto") {
  SolverOptions options;
  options.solver = solver;
  try {
    check_solver({loss, regularizer, Bias::free}, options);
  } catch (const ParameterError&) {
    return false;
  }
  return true;
}

/// Solves to a relative gap of 1e-7 on one thread.
[[nodiscard]] inline Answer solve_tightly(const Problem& problem,
                                          const std::string& solver = "auto") {
  SolverOptions options;
  options.solver = solver;
  options.tolerance = 1e-7;
  options.max_iterations = 3000;
  return solve(problem, options, Context{});
}

}  // namespace kernmix::testing
