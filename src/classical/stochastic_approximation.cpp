#include "classical/stochastic_approximation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "regularizer/any.hpp"

namespace kernmix {
namespace {

/// Share of the theoretical step for gamma, which is for the worst case.
constexpr double task_step_share = 0.3;
/// The largest change of log gamma_k. The theoretical step changes it by 25 in the first step with
/// 1000 tasks, and the other tasks are sampled too rarely to correct this.
constexpr double largest_task_change = 3.0;
/// Rate of the moving average of the values.
constexpr double mean_rate = 0.1;
/// Relative accuracy of the SVM of a sampled task.
constexpr double sampled_accuracy = 0.1;

/// x exp(change) / Z, without overflow.
void exponentiated_step(Vector& x, const Vector& change) {
  const double top = *std::ranges::max_element(change);
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] *= std::exp(change[i] - top));
  for (double& entry : x) entry /= sum;
}

void accumulate_into(Vector& sum, const Vector& x) {
  for (std::size_t i = 0; i < x.size(); ++i) sum[i] += x[i];
}

/// |sum of the changes| of the average of t - 1 vectors of sum 1 by one more.
double change_of_average(const Vector& sum, const Vector& next, double t) {
  if (t <= 1.0) return 1.0;
  double change = 0.0;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    change += std::abs(next[i] - sum[i] / (t - 1.0)) / t;
  }
  return change;
}

/// The accuracy of the SVM of task k, which has been solved before or is at a = 0.
double sampled_target(const Objective& J, Index k) {
  return sampled_accuracy * J.tolerance() * J.size_of(k);
}

}  // namespace

StochasticSteps::StochasticSteps(const StochasticOptions& options, Index kernels, Index tasks,
                                 std::uint64_t seed)
    : options_(options),
      engine_(seed),
      d_(static_cast<std::size_t>(kernels), 1.0 / static_cast<double>(kernels)),
      gamma_(static_cast<std::size_t>(tasks), 1.0 / static_cast<double>(tasks)),
      sum_d_(d_.size(), 0.0),
      sum_gamma_(gamma_.size(), 0.0) {}

double StochasticSteps::sampling(std::size_t k) const {
  return (1.0 - options_.delta) * gamma_[k] + options_.delta / static_cast<double>(gamma_.size());
}

Index StochasticSteps::sample() {
  double u = static_cast<double>(engine_() >> 11) * 0x1p-53;  // the same on every platform
  for (std::size_t k = 0; k + 1 < gamma_.size(); ++k) {
    u -= sampling(k);
    if (u < 0.0) return static_cast<Index>(k);
  }
  return length(gamma_) - 1;
}

void StochasticSteps::step(Index j, ConstSpan q, double value) {
  const auto at = static_cast<std::size_t>(j);
  const auto t = static_cast<double>(++t_);
  const auto M = static_cast<double>(d_.size());
  const auto T = static_cast<double>(gamma_.size());
  last_change_ = change_of_average(sum_d_, d_, t);
  accumulate_into(sum_d_, d_);
  accumulate_into(sum_gamma_, gamma_);
  largest_form_ = std::max(largest_form_, 0.5 * *std::ranges::max_element(q));
  mean_value_ += (t_ == 1 ? 1.0 : mean_rate) * (value - mean_value_);
  const double excess = value - mean_value_;
  largest_excess_ = std::max(largest_excess_, std::abs(excess));
  const double unbiased = 1.0 / sampling(at);
  Vector rise(d_.size(), 0.0);
  if (largest_form_ > 0.0) {
    const double eta =
        options_.eta > 0.0 ? options_.eta : std::sqrt(std::log(M) / t) / largest_form_;
    for (std::size_t m = 0; m < rise.size(); ++m)
      rise[m] = eta * 0.5 * gamma_[at] * unbiased * q[m];
  }
  Vector ascent(gamma_.size(), 0.0);
  if (largest_excess_ > 0.0) {
    const double least_inverse = options_.delta > 0.0 ? options_.delta / T : 1.0 / unbiased;
    const double eta = std::min(task_step_share * std::sqrt(std::log(T) / (T * t)),
                                largest_task_change * least_inverse);
    ascent[at] = options_.eta > 0.0 ? options_.eta * unbiased * value
                                    : eta * unbiased * excess / largest_excess_;
  }
  exponentiated_step(d_, rise);
  exponentiated_step(gamma_, ascent);
}

Vector StochasticSteps::averaged(const Vector& sum) {
  Vector average(sum);
  const double total = std::accumulate(sum.begin(), sum.end(), 0.0);
  for (double& entry : average) entry /= total;
  return average;
}

void certify_averages(Objective& J, const StochasticSteps& steps) {
  const Tasks& tasks = J.tasks();
  J.move_to(steps.average_weights());
  std::vector<Index> all;
  Vector targets;
  for (Index k = 0; k < tasks.size(); ++k) {
    all.push_back(k);
    targets.push_back(sampled_target(J, k));
  }
  J.solve(all, targets);
  J.keep_here();
  const Vector gamma = steps.average_task_weights();
  double gain = 0.0;
  Vector q(tasks.weights().size(), 0.0);
  for (Index k = 0; k < tasks.size(); ++k) {
    const double weight = gamma[static_cast<std::size_t>(k)];
    gain += weight * tasks.state(k).gain;
    for (std::size_t m = 0; m < q.size(); ++m) q[m] += weight * tasks.state(k).q[m];
  }
  J.record("certify");
  J.raise_lower_bound(end_to_end(tasks.dual_vectors()), gain - L1{}.conjugate(q), gamma);
}

void stochastic_approximation(Objective& J) {
  const Tasks& tasks = J.tasks();
  const StochasticOptions options = StochasticOptions::parse(J.options().solver);
  StochasticSteps steps(options, J.kernels(), tasks.size(), J.context().seed);
  J.move_to(steps.weights());
  J.keep_here();
  J.record("start");
  Index next_certificate = tasks.size();
  const auto at_limit = [&] { return steps.steps() >= J.options().max_iterations; };
  const auto is_last = [&] { return at_limit() || steps.last_change() < options.change; };
  while (!J.finished() && !is_last()) {
    J.go_to(steps.weights());
    const Index j = steps.sample();
    J.solve(std::vector{j}, Vector{sampled_target(J, j)});
    steps.step(j, tasks.state(j).q, tasks.state(j).lower);
    if (steps.steps() < next_certificate && !is_last()) continue;
    certify_averages(J, steps);
    next_certificate = steps.steps() + std::max<Index>(steps.steps() / 2, 2 * tasks.size());
  }
  if (is_last()) J.end(at_limit() ? Status::iteration_limit : Status::stopping_rule);
}

}  // namespace kernmix
