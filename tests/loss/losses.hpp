#pragma once
/// \file
/// Every registered loss with several parameters, and random samples that fit it.

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "kernmix/loss.hpp"
#include "loss/any.hpp"
#include "loss/bias_search.hpp"

namespace kernmix::test {

/// The examples of the registry, so that a new loss is tested by being registered, and parameters
/// at the edge of their range.
inline std::vector<std::string> loss_texts() {
  std::vector<std::string> texts;
  for (const LossInfo& row : losses()) texts.push_back(row.example);
  for (const char* text :
       {"huber-hinge:h=1e-3", "huber-hinge:h=4", "epsilon:eps=0", "epsilon:eps=1.5",
        "squared-epsilon:eps=0", "squared-epsilon:eps=1", "huber:delta=0.05", "huber:delta=20",
        "pinball:tau=0.05", "pinball:tau=0.9", "expectile:tau=0.1", "nu-svc:nu=0.2",
        "one-class:nu=0.1", "one-class:nu=1", "komd:lambda=0", "komd:lambda=0.9"}) {
    texts.emplace_back(text);
  }
  return texts;
}

inline std::string test_name(std::string text) {
  for (char& c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return text;
}

/// n samples with decision values, weights that differ, and a feasible dual vector.
struct Samples {
  Vector y, z, C, a;

  Samples(const Loss& loss, Bias rule, std::size_t n, unsigned seed) : y(n), z(n), C(n), a(n) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    const Target target = loss_target(loss);
    const double cost = std::pow(10.0, 3.0 * unit(engine) - 1.0);
    const double weight = loss_weight(loss, takes_cost(loss) ? cost : 1.0, static_cast<Index>(n));
    for (std::size_t i = 0; i < n; ++i) {
      if (target == Target::classes) y[i] = i % 2 == 0 ? 1.0 : -1.0;
      if (target == Target::numbers) y[i] = 4.0 * unit(engine) - 2.0;
      z[i] = 6.0 * unit(engine) - 3.0;
      C[i] = weight * (1.0 + unit(engine));
      a[i] = weight * (6.0 * unit(engine) - 3.0);
    }
    if (joins_classes(loss)) {
      of_classes(weight, rule, engine);
    } else {
      make_feasible(dual_set(loss, rule, y, C), a);
    }
  }

 private:
  void of_classes(double weight, Bias rule, std::mt19937& engine) {
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    const std::size_t n = y.size();
    for (std::size_t i = 0; i < n; ++i) y[i] = static_cast<double>(i % 3);
    const auto K = to_size(CrammerSinger::functions(y));
    Vector scratch;
    a.resize(n * K);
    for (std::size_t e = n; e < n * K; ++e) z.push_back(6.0 * unit(engine) - 3.0);
    for (std::size_t e = 0; e < n * K; ++e) a[e] = weight * z[n * K - 1 - e];
    for (std::size_t i = 0; i < n; ++i) {
      const MutableSpan row = MutableSpan(a).subspan(i * K, K);
      project_onto_dual(row, static_cast<Index>(i % 3), C[i], scratch);
    }
    a = CrammerSinger::of(rule, y, C).feasible(a);
  }
};

inline std::vector<Bias> bias_rules(const Loss& loss) {
  const bool separable = visit([]<typename L>(const L&) { return IsSeparableLoss<L>; }, loss);
  if (joins_classes(loss)) return {Bias::free, Bias::none};
  if (!separable) return {Bias::free};
  return {Bias::free, Bias::none, Bias::penalised};
}

}  // namespace kernmix::test
