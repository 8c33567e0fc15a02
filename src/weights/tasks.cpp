#include "weights/tasks.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"
#include "base/roots/golden_section.hpp"
#include "base/samples.hpp"
#include "problem/without_end.hpp"

namespace kernmix {
namespace {

std::unique_ptr<Oracle> oracle_of(const Problem& problem, Index k, CombinedKernel& kernel) {
  if (joins_classes(problem.loss)) return std::make_unique<ClassOracle>(problem, kernel);
  if (problem.size() == 1 && problem.task(0).rows.empty()) {
    return std::make_unique<SvmOracle>(problem);
  }
  return std::make_unique<SvmOracle>(problem, k, kernel);
}

}  // namespace

Vector end_to_end(const std::vector<Vector>& vectors) {
  Vector all;
  for (const Vector& one : vectors) all.insert(all.end(), one.begin(), one.end());
  return all;
}

Tasks::Tasks(const Problem& problem, const Context& context)
    : problem_(problem),
      context_(context),
      kernel_(problem.bank),
      states_(problem.tasks.size()),
      solved_(problem.tasks.size(), false) {
  for (Index k = 0; k < size(); ++k) {
    losses_.emplace_back(problem, k);
    oracles_.push_back(oracle_of(problem, k, kernel_));
    states_[at(k)].q.assign(static_cast<std::size_t>(problem.kernels()), 0.0);
    read_.push_back(std::ranges::all_of(oracle(k).a(), [](double value) { return value == 0.0; }));
  }
}

std::vector<Index> Tasks::all() const { return index_range(0, length(states_)); }

std::vector<Index> Tasks::above(double target) const {
  std::vector<Index> tasks;
  for (Index k = 0; k < size(); ++k) {
    if (!solved_[at(k)] || oracle(k).inner_gap() > target) tasks.push_back(k);
  }
  return tasks;
}

std::vector<Vector> Tasks::dual_vectors() const {
  std::vector<Vector> a;
  for (const auto& oracle : oracles_) a.push_back(oracle->a());
  return a;
}

Index Tasks::inner_iterations() const {
  Index sum = 0;
  for (const auto& oracle : oracles_) sum += oracle->iterations();
  return sum;
}

void Tasks::start_from(const Vector& a) {
  auto begin = a.begin();
  for (const auto& oracle : oracles_) {
    const auto end = begin + length(oracle->a());
    oracle->start_from({begin, end});
    begin = end;
  }
  read_.assign(states_.size(), false);
}

void Tasks::restore(const Point& point) {
  start_from(point.a);
  go_to(point.d);
  const Vector& forms = point.forms.empty() ? point.q : point.forms;
  auto begin = forms.begin();
  for (TaskState& state : states_) {
    std::copy_n(begin, problem_.kernels(), state.q.begin());
    begin += problem_.kernels();
  }
  read_.assign(states_.size(), true);
}

void Tasks::forget_forms() {
  for (TaskState& state : states_) std::ranges::fill(state.q, 0.0);
  read_.assign(states_.size(), false);
}

void Tasks::go_to(ConstSpan d) {
  d_.assign(d.begin(), d.end());
  solved_.assign(states_.size(), false);
}

void Tasks::move_to(ConstSpan d) {
  go_to(d);
  if (std::ranges::find(read_, false) != read_.end()) read(every_kernel(problem_.bank));
  const Matrix Z = kernel_.product(d_, panel(all()), context_);
  parallel_for(context_, size(), [&](Index k) {
    TaskState& state = states_[at(k)];
    state.gain = losses_[at(k)].gain(oracle(k).a());
    state.lower = state.gain - 0.5 * dot(d_, state.q);
    state.upper = upper_along(k, on_rows(problem_.task(k), Z.row(k)));
  });
}

/// The primal value of s K(d) a at the best s within bounds that suffice for warm starts.
double Tasks::upper_along(Index k, ConstSpan z) const {
  constexpr double kLeast = 0.5;
  constexpr double kLargest = 2.0;
  constexpr double kWidth = 0.02;
  const Vector& a = oracle(k).a();
  const double energy = dot(a, z);
  Vector scaled(z.size());
  const auto value = [&](double s) {
    for (std::size_t i = 0; i < scaled.size(); ++i) scaled[i] = s * z[i];
    return -(losses_[at(k)].at(scaled, a).value + 0.5 * s * s * energy);
  };
  const double here = -value(1.0);
  if (energy == 0.0 || problem_.bias == Bias::penalised) return here;
  return std::min(here, -largest_on(kLeast, kLargest, kWidth, value).value);
}

void Tasks::answer_exists() {
  for (const auto& oracle : oracles_) oracle->answer_exists();
}

void Tasks::solve(std::span<const Index> tasks, ConstSpan targets) {
  const auto one = [&](Index t, const Context& context) {
    const auto place = static_cast<std::size_t>(t);
    oracle(tasks[place]).solve(d_, targets[place], context);
  };
  if (length(tasks) > 1 && length(tasks) >= context_.workers()) {
    // When time is up, each task says whether it needs what they share.
    (void)finished_in_time(context_, [&] { oracle(tasks.front()).prepare(d_, context_); });
    Context serial = context_;
    serial.threads = 1;
    parallel_for(context_, length(tasks), [&](Index t) { one(t, serial); });
  } else {
    for (Index t = 0; t < length(tasks); ++t) one(t, context_);
  }
  for (const Index k : tasks) {
    solved_[at(k)] = true;
    read_[at(k)] = false;
  }
  svm_solves_ += length(tasks);
}

void Tasks::solve_and_read(std::span<const Index> tasks, ConstSpan targets) {
  solve(tasks, targets);
  read(every_kernel(problem_.bank));
  for (const Index k : tasks) {
    TaskState& state = states_[at(k)];
    state.gain = oracle(k).gain();
    state.lower = state.gain - 0.5 * dot(d_, state.q);
    state.upper = oracle(k).upper_value();
  }
}

/// One row on all samples for each decision function.
Matrix Tasks::panel(std::span<const Index> tasks) const {
  const Index K = problem_.functions();
  Matrix rows(length(tasks) * K, problem_.samples());
  for (Index t = 0; t < length(tasks); ++t) {
    const Index k = tasks[static_cast<std::size_t>(t)];
    const std::vector<Index>& samples = problem_.task(k).rows;
    const Vector& a = oracle(k).a();
    for (Index e = 0; e < length(a); ++e) {
      const Index i = samples.empty() ? e / K : samples[static_cast<std::size_t>(e / K)];
      rows(t * K + e % K, i) = a[static_cast<std::size_t>(e)];
    }
  }
  return rows;
}

Matrix Tasks::read(const std::vector<Index>& kernels) {
  std::vector<Index> tasks;
  for (Index k = 0; k < size(); ++k) {
    if (!read_[at(k)]) tasks.push_back(k);
    if (length(kernels) == problem_.kernels()) read_[at(k)] = true;
  }
  const Index K = problem_.functions();
  const bool single = size() == 1 && K == 1 && problem_.task(0).rows.empty();
  Products read = single ? problem_.bank.products(kernels, oracle(0).a(), Reach::support, context_)
                         : problem_.bank.products(kernels, panel(tasks), Reach::forms, context_);
  for (Index t = 0; t < length(tasks); ++t) {
    Vector& q = states_[at(tasks[static_cast<std::size_t>(t)])].q;
    for (Index k = 0; k < length(kernels); ++k) {
      double sum = 0.0;
      for (Index u = 0; u < K; ++u) sum += read.forms(t * K + u, k);
      q[static_cast<std::size_t>(kernels[static_cast<std::size_t>(k)])] = sum;
    }
  }
  return std::move(read.rows);
}

}  // namespace kernmix
