/// \file
/// One dense kernel, plain SVM: our SMO against LIBSVM on the same precomputed matrix in one run.
/// LIBSVM stops at its default eps = 1e-3; our solver then runs to the duality gap that LIBSVM's
/// answer attains, measured in double precision. Times are processor seconds, the best of up to
/// twenty repetitions within a second; ours include checks of the input and the final bounds.
/// Usage: smo_vs_libsvm [largest n]

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "kernmix/svm/svm.hpp"
#include "libsvm_fit.hpp"
#include "loss/any.hpp"
#include "loss/bias_search.hpp"
#include "loss/classes/hinge.hpp"

namespace {

using kernmix::Index;
using kernmix::Vector;

struct Data {
  std::vector<float> K;
  Vector y;
};

/// Two overlapping Gaussian clouds in ten dimensions and a Gaussian kernel of medium width.
Data two_clouds(Index n, unsigned seed) {
  constexpr Index dimensions = 10;
  constexpr double distance = 0.6;
  constexpr double gamma = 0.1;
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Vector x(static_cast<std::size_t>(n * dimensions));
  Data data{std::vector<float>(static_cast<std::size_t>(n * n)),
            Vector(static_cast<std::size_t>(n))};
  for (Index i = 0; i < n; ++i) {
    data.y[i] = i % 2 == 0 ? 1.0 : -1.0;
    for (Index k = 0; k < dimensions; ++k) {
      x[i * dimensions + k] = normal(random) + 0.5 * distance * data.y[i];
    }
  }
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j <= i; ++j) {
      double square = 0.0;
      for (Index k = 0; k < dimensions; ++k) {
        const double difference = x[i * dimensions + k] - x[j * dimensions + k];
        square += difference * difference;
      }
      data.K[i * n + j] = data.K[j * n + i] = static_cast<float>(std::exp(-gamma * square));
    }
  }
  return data;
}

struct Objective {
  double primal;
  double dual;
  [[nodiscard]] double relative_gap() const { return (primal - dual) / primal; }
};

Objective evaluate(const Data& data, double C, const Vector& a) {
  const kernmix::Hinge loss;
  const Index n = kernmix::length(data.y);
  Vector z(static_cast<std::size_t>(n), 0.0);
  for (Index i = 0; i < n; ++i) {
    if (a[i] == 0.0) continue;
    for (Index j = 0; j < n; ++j) z[j] += a[i] * static_cast<double>(data.K[i * n + j]);
  }
  const double bias = kernmix::best_bias(loss, data.y, z, Vector(static_cast<std::size_t>(n), C));
  double square = 0.0;
  double losses = 0.0;
  double gain = 0.0;
  for (Index i = 0; i < n; ++i) {
    square += a[i] * z[i];
    losses += loss.value(data.y[i], z[i] + bias, C);
    gain += data.y[i] * a[i];
  }
  return {0.5 * square + losses, gain - 0.5 * square};
}

void compare(const Data& data, double C) {
  const Index n = kernmix::length(data.y);
  const kernmix::LibsvmFit theirs = kernmix::fit_libsvm(data.K, data.y, C);
  const Objective at_theirs = evaluate(data, C, theirs.a);
  const Vector weights(static_cast<std::size_t>(n), C);
  kernmix::SvmResult ours;
  const double seconds = kernmix::best_seconds(
      [&] { ours = kernmix::train_svm(data.K, data.y, weights, at_theirs.relative_gap(), {}); });
  fmt::print("| {} | {} | {:.1e} | {:.1e} | {:+.1e} | {} | {} | {:.5f} | {:.5f} | {:.1f} |\n", n, C,
             at_theirs.relative_gap(), ours.relative_gap,
             (ours.dual - at_theirs.dual) / at_theirs.dual, theirs.iterations, ours.iterations,
             theirs.seconds, seconds, theirs.seconds / seconds);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const long largest = argc > 1 ? std::atol(argv[1]) : 10000;
  fmt::print(
      "| n | C | gap LIBSVM | gap kernmix | relative dual gain | iterations LIBSVM | iterations "
      "kernmix | s LIBSVM | s kernmix | LIBSVM : kernmix "
      "|\n|---|---|---|---|---|---|---|---|---|---|\n");
  for (const Index n : {200, 500, 1000, 2000, 5000, 10000}) {
    if (n > largest) break;
    const Data data = two_clouds(n, 7);
    for (const double C : {1.0, 100.0}) compare(data, C);
  }
  return 0;
}
