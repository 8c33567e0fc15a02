#pragma once
/// \file
/// Kernels by their definitions: one pair at a time, double loops, std::exp.

#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "base/linear_algebra.hpp"
#include "kernel/functions/definition.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {

using MatrixPtr = std::shared_ptr<const Matrix>;

inline double sum_over_columns(ConstSpan x, ConstSpan z,
                               const std::function<double(double, double)>& term) {
  double sum = 0.0;
  for (std::size_t c = 0; c < x.size(); ++c) sum += term(x[c], z[c]);
  return sum;
}

inline double naive_dot(ConstSpan x, ConstSpan z) {
  return sum_over_columns(x, z, [](double a, double b) { return a * b; });
}
inline double naive_squared_distance(ConstSpan x, ConstSpan z) {
  return sum_over_columns(x, z, [](double a, double b) { return (a - b) * (a - b); });
}

/// k(x, z) by its formula.
inline double naive_kernel(const KernelFunction& f, ConstSpan x, ConstSpan z) {
  const auto p = [&f](const char* name) { return f.parameters.at(name); };
  const auto ratio = [](double a, double b) { return b == 0.0 ? 0.0 : a / b; };
  if (f.name == "linear") return naive_dot(x, z);
  if (f.name == "poly") return std::pow(p("gamma") * naive_dot(x, z) + p("coef0"), p("degree"));
  if (f.name == "rbf") return std::exp(-p("gamma") * naive_squared_distance(x, z));
  if (f.name == "laplacian") {
    return std::exp(-p("gamma") *
                    sum_over_columns(x, z, [](double a, double b) { return std::abs(a - b); }));
  }
  const double distance = std::sqrt(naive_squared_distance(x, z));
  if (f.name == "exponential") return std::exp(-std::sqrt(p("gamma")) * distance);
  if (f.name == "inverse_distance") return 1.0 / (std::sqrt(p("gamma")) * distance + 1.0);
  if (f.name == "inverse_square_distance") {
    return 1.0 / (p("gamma") * distance * distance + 1.0);
  }
  if (f.name == "matern") {
    const double s = std::sqrt(2.0 * p("nu") * p("gamma")) * distance;
    if (p("nu") == 0.5) return std::exp(-s);
    return std::exp(-s) * (p("nu") == 1.5 ? 1.0 + s : 1.0 + s + s * s / 3.0);
  }
  if (f.name == "rational_quadratic") {
    return std::pow(1.0 + p("gamma") * distance * distance / p("alpha"), -p("alpha"));
  }
  if (f.name == "chi2") {
    return std::exp(-p("gamma") * sum_over_columns(x, z, [&](double a, double b) {
      return ratio((a - b) * (a - b), a + b);
    }));
  }
  if (f.name == "additive_chi2") {
    return sum_over_columns(x, z, [&](double a, double b) { return ratio(2.0 * a * b, a + b); });
  }
  if (f.name == "intersection") {
    return sum_over_columns(x, z, [](double a, double b) { return std::min(a, b); });
  }
  if (f.name == "bray_curtis") {
    const double part = sum_over_columns(x, z, [](double a, double b) { return std::abs(a - b); });
    const double whole = sum_over_columns(x, z, [](double a, double b) { return a + b; });
    return whole == 0.0 ? 0.0 : 1.0 - part / whole;
  }
  if (f.name == "minmax") {
    return ratio(sum_over_columns(x, z, [](double a, double b) { return std::min(a, b); }),
                 sum_over_columns(x, z, [](double a, double b) { return std::max(a, b); }));
  }
  if (f.name == "sigmoid") return std::tanh(p("gamma") * naive_dot(x, z) + p("coef0"));
  if (f.name == "cosine") {
    return ratio(naive_dot(x, z), std::sqrt(naive_dot(x, x)) * std::sqrt(naive_dot(z, z)));
  }
  if (f.name == "spherical_rbf") {
    const double cosine =
        ratio(naive_dot(x, z), std::sqrt(naive_dot(x, x)) * std::sqrt(naive_dot(z, z)));
    return std::exp(-2.0 * p("gamma") * (1.0 - cosine));
  }
  throw std::logic_error("no reference for " + f.name);
}

/// Every kernel function of features, with parameters that suit standard normal columns.
inline std::vector<KernelFunction> example_functions(double columns) {
  const double gamma = 0.7 / columns;
  return {make_kernel_function("linear", {}),
          make_kernel_function("poly", {{"degree", 1}}),
          make_kernel_function("poly", {{"degree", 2}, {"gamma", gamma}}),
          make_kernel_function("poly", {{"degree", 5}, {"gamma", gamma}, {"coef0", 1.5}}),
          make_kernel_function("rbf", {{"gamma", gamma}}),
          make_kernel_function("rbf", {{"width", 3.0}}),
          make_kernel_function("laplacian", {{"gamma", gamma}}),
          make_kernel_function("laplacian", {{"width", 4.0}}),
          make_kernel_function("exponential", {{"gamma", gamma}}),
          make_kernel_function("inverse_distance", {{"gamma", gamma}}),
          make_kernel_function("inverse_square_distance", {{"gamma", gamma}}),
          make_kernel_function("matern", {{"nu", 0.5}, {"gamma", gamma}}),
          make_kernel_function("matern", {{"nu", 1.5}, {"gamma", gamma}}),
          make_kernel_function("matern", {{"nu", 2.5}, {"width", 3.0}}),
          make_kernel_function("rational_quadratic", {{"gamma", gamma}}),
          make_kernel_function("rational_quadratic", {{"alpha", 0.3}, {"width", 3.0}}),
          make_kernel_function("chi2", {}),
          make_kernel_function("chi2", {{"gamma", gamma}}),
          make_kernel_function("additive_chi2", {}),
          make_kernel_function("intersection", {}),
          make_kernel_function("bray_curtis", {}),
          make_kernel_function("minmax", {}),
          make_kernel_function("sigmoid", {{"gamma", gamma}, {"coef0", -0.3}}),
          make_kernel_function("cosine", {}),
          make_kernel_function("spherical_rbf", {{"gamma", 0.7}}),
          make_kernel_function("spherical_rbf", {{"width", 1.5}})};
}

inline bool needs_nonnegative(const KernelFunction& f) {
  return find_kernel(f.name).info.input == KernelInput::nonnegative;
}

/// Normal columns, with a zero sample and a repeated one; their absolute values where f asks.
inline MatrixPtr random_samples(const KernelFunction& f, Index n, Index columns, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  auto samples = std::make_shared<Matrix>(n, columns);
  for (double& x : samples->values)
    x = needs_nonnegative(f) ? std::abs(normal(random)) : normal(random);
  if (n > 3) {
    for (Index c = 0; c < columns; ++c) {
      (*samples)(1, c) = 0.0;
      (*samples)(3, c) = (*samples)(0, c);
    }
  }
  return samples;
}

inline std::vector<Index> first_indices(Index n) {
  std::vector<Index> index(static_cast<std::size_t>(n));
  std::iota(index.begin(), index.end(), Index{0});
  return index;
}

/// The whole kernel in one block.
inline Matrix evaluate(const KernelSource& source) {
  Matrix gram(source.rows(), source.cols());
  source.block(first_indices(source.rows()), first_indices(source.cols()), gram.values);
  return gram;
}

inline double largest_difference(const Matrix& a, const Matrix& b) {
  return (as_matrix(a) - as_matrix(b)).cwiseAbs().maxCoeff();
}

}  // namespace kernmix
