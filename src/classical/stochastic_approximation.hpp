#pragma once
/// \file
/// Stochastic approximation of the saddle point over kernel and task weights,
///
///   min_{d in simplex} max_{gamma in simplex}  sum_k gamma_k J_k(d)
///
/// by exponentiated gradients of one sampled task at a time.

#include <array>
#include <concepts>
#include <random>

#include "base/arguments.hpp"
#include "regularizer/any.hpp"
#include "regularizer/simplex/l1.hpp"
#include "weights/objective.hpp"

namespace kernmix {

/// Numbers of the solver's text, "stochastic-approximation:delta=0.2,eta=1e-3,change=0.01".
struct StochasticOptions {
  double delta = 0.2;   ///< the share of samples that go to all tasks alike, in [0, 1]
  double eta = 0.0;     ///< the step of both weights in every iteration; 0: those below
  double change = 0.0;  ///< the run ends when the average of d changes by less; 0: never

  static constexpr std::array parameters{
      Parameter<StochasticOptions>{"delta", &StochasticOptions::delta, zero_to_one},
      Parameter<StochasticOptions>{"eta", &StochasticOptions::eta, zero_as_well},
      Parameter<StochasticOptions>{"change", &StochasticOptions::change, zero_or_below_one}};
  /// \throws ParameterError
  [[nodiscard]] static StochasticOptions parse(const std::string& text) {
    return parse_some_parameters<StochasticOptions>(text);
  }
};

/// The iteration of Bucak, Jin and Jain, NIPS 2010, algorithm 1, with the errata 18 to 24 of
/// docs/explanation/errata.md:
///
///   j ~ gamma' = (1 - delta) gamma + delta / T,    (a, q) from the SVM of task j at d
///   d     <- d exp(eta_d 1/2 (gamma_j / gamma'_j) q) / Z
///   gamma <- gamma exp(eta_gamma (J_j(d) - mean) / gamma'_j e_j) / Z
///
/// with eta_d = sqrt(log M / t) / max |1/2 q| and eta_gamma = min(0.3 sqrt(log T / (T t)),
/// 3 delta / T) / max |J_j - mean|: no log gamma_k changes by more than 3. The paper does not
/// subtract the mean of the values: the subtraction changes the expected log gamma_k of all tasks
/// equally, which Z cancels, and removes most of the variance. The answer is the average of the
/// iterates.
class StochasticSteps {
 public:
  /// \param seed  of the samples
  StochasticSteps(const StochasticOptions& options, Index kernels, Index tasks, std::uint64_t seed);

  /// The next task.
  [[nodiscard]] Index sample();
  /// A step with the result of the sampled task j at weights(): its forms q and its value J_j.
  void step(Index j, ConstSpan q, double value);

  [[nodiscard]] const Vector& weights() const { return d_; }
  [[nodiscard]] Vector average_weights() const { return averaged(sum_d_); }
  [[nodiscard]] Vector average_task_weights() const { return averaged(sum_gamma_); }
  /// |change|_1 of average_weights() in the last step.
  [[nodiscard]] double last_change() const { return last_change_; }
  [[nodiscard]] Index steps() const { return t_; }

 private:
  [[nodiscard]] double sampling(std::size_t k) const;
  [[nodiscard]] static Vector averaged(const Vector& sum);

  StochasticOptions options_;
  std::mt19937_64 engine_;
  Vector d_, gamma_;
  Vector sum_d_, sum_gamma_;
  double largest_form_ = 0.0;    ///< of 1/2 q so far
  double mean_value_ = 0.0;      ///< moving average of J_j
  double largest_excess_ = 0.0;  ///< largest |J_j - mean| so far
  double last_change_ = 1.0;
  Index t_ = 0;
};

/// Solves all tasks at the averages, which gives both bounds on the optimum.
void certify_averages(Objective& J, const StochasticSteps& steps);

/// Certifies after T steps and whenever the number of steps has grown by half: at most a third of
/// all SVMs are for the certificate.
void stochastic_approximation(Objective& J);

struct StochasticApproximation {
  static constexpr const char* name = "stochastic-approximation";
  static constexpr const char* needs = "the weights of l1";
  static void check_text(const std::string& text) { (void)StochasticOptions::parse(text); }
  static constexpr bool couples(Coupling coupling) { return coupling == Coupling::minimax; }
  template <typename R>
  static constexpr bool takes = std::same_as<R, L1>;
  template <typename R>
  static void run(const R& /*regularizer*/, Objective& J) {
    stochastic_approximation(J);
  }
};

}  // namespace kernmix
