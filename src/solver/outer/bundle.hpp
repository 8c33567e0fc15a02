#pragma once
/// \file
/// Cutting planes of J and the level step: the safeguard of second order steps.

#include <functional>
#include <vector>

#include "solver/outer/run.hpp"

namespace kernmix {

/// Cuts J(x) >= gain_i - 1/2 q_i' x + Phi(x), valid for every x in D however inexact the SVM at
/// their points was (methods 1.4). Keeps the most recent ones.
class Bundle {
 public:
  void add(const Point& point);
  [[nodiscard]] bool empty() const { return gains_.empty(); }

  using Support = std::function<double(ConstSpan q)>;
  using Project = std::function<void(MutableSpan x)>;

  /// Projection of `centre` onto {x in D : every cut (without Phi) is at most the level}, the level
  /// halfway between the best upper value and the best lower bound (Lemarechal, Nemirovskii and
  /// Nesterov 1995; Xu, Jin, King and Lyu 2008). Multipliers that prove the level set empty raise
  /// the lower bound instead.
  [[nodiscard]] Vector level_step(ConstSpan centre, double upper, double lower,
                                  const Support& support, const Project& project) const;

 private:
  [[nodiscard]] Vector shifted(ConstSpan centre, ConstSpan multipliers) const;
  [[nodiscard]] double lower_bound(ConstSpan multipliers, const Support& support) const;

  static constexpr std::size_t kLargest = 40;
  std::vector<double> gains_;
  std::vector<Vector> q_;
};

}  // namespace kernmix
