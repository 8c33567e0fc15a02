#include "classical/pair_state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/parallel.hpp"

namespace kernmix {
namespace {

constexpr Index samples_per_task = 128;

/// q_m + 2 t g_m + t^2 h_m
void forms_along(ConstSpan q, ConstSpan g, ConstSpan h, double t, MutableSpan out) {
  for (std::size_t m = 0; m < q.size(); ++m) {
    out[m] = std::max(q[m] + t * (2.0 * g[m] + t * h[m]), 0.0);
  }
}

/// The root of a decreasing function, positive at 0, on [0, longest]; `longest` if there is none.
/// Regula falsi with the Illinois modification, and a bisection every third time.
template <typename Function>
double root_of_decreasing(double guess, double longest, const Function& f) {
  double low = 0.0;
  double at_low = f(low);
  double high = std::min(guess, longest);
  double at_high = f(high);
  while (at_high > 0.0) {
    if (high == longest) return longest;
    low = high;
    at_low = at_high;
    high = std::min(2.0 * high, longest);
    at_high = f(high);
  }
  for (int k = 0; k < 60 && high - low > 1e-13 * high; ++k) {
    const double falsi = low + (high - low) * at_low / (at_low - at_high);
    const bool useful = falsi > low && falsi < high && k % 3 != 2;
    const double t = useful ? falsi : 0.5 * (low + high);
    const double value = f(t);
    if (value > 0.0) {
      low = t;
      at_low = value;
      at_high *= 0.5;
    } else {
      high = t;
      at_high = value;
      at_low *= 0.5;
    }
  }
  return 0.5 * (low + high);
}

}  // namespace

PairState::PairState(const Problem& problem, const DualSet& set, const SmoothSupport& support,
                     Index rows, const Context& context)
    : problem_(problem),
      set_(set),
      support_(support),
      context_(context),
      n_(problem.samples()),
      M_(problem.kernels()),
      a_(problem.y().size(), 0.0),
      q_(static_cast<std::size_t>(M_), 0.0),
      d_(q_),
      z_(a_),
      U_(M_, n_),
      diagonals_(M_, n_),
      rows_(problem.bank, rows, context),
      zeros_(set.balanced() ? Matrix() : Matrix(M_, n_)) {
  QuadraticTerms terms = quadratic_terms(problem_.loss, problem_.y(), problem_.C()).value();
  linear_ = std::move(terms.linear);
  curve_ = std::move(terms.diagonal);
  kink_ = std::move(terms.kink);
  parallel_for(context_, M_, [&](Index m) {
    for (Index i = 0; i < n_; ++i) {
      problem_.bank.block(m, {&i, 1}, {&i, 1}, diagonals_.row(m).subspan(std::size_t(i), 1));
    }
  });
  refresh();
}

void PairState::refresh() {
  make_feasible(set_, a_);
  Products read =
      problem_.bank.products(every_kernel(problem_.bank), a_, Reach::everywhere, context_);
  U_ = std::move(read.rows);
  q_ = std::move(read.forms.values);
  support_.maximizing_weights(q_, d_);
  std::ranges::fill(z_, 0.0);
  for (Index m = 0; m < M_; ++m) {
    const ConstSpan u = U_.row(m);
    const double weight = d_[static_cast<std::size_t>(m)];
    for (std::size_t i = 0; i < z_.size(); ++i) z_[i] += weight * u[i];
  }
  sum_ = 0.0;
  if (problem_.bias == Bias::penalised) sum_ = std::accumulate(a_.begin(), a_.end(), 0.0);
}

double PairState::relative_gap() const {
  return certify_values(problem_, d_, {a_}, {z_}, {q_}).relative_gap();
}

double PairState::slope(Index i, bool rising) const {
  if (i == n_) return 0.0;
  const auto at = static_cast<std::size_t>(i);
  const bool positive_side = rising ? a_[at] >= 0.0 : a_[at] > 0.0;
  const double kink = positive_side ? kink_[at] : -kink_[at];
  return linear_[at] - curve_[at] * a_[at] - z_[at] - sum_ - kink;
}

bool PairState::movable(Index i, bool rising) const {
  if (i == n_) return !set_.balanced();
  const auto at = static_cast<std::size_t>(i);
  return rising ? a_[at] < set_.upper[at] : a_[at] > set_.lower[at];
}

Index PairState::steepest() const {
  Index best = -1;
  double top = -std::numeric_limits<double>::infinity();
  for (Index i = 0; i <= n_; ++i) {
    if (!movable(i, true) || slope(i, true) <= top) continue;
    best = i;
    top = slope(i, true);
  }
  return best;
}

double PairState::diagonal(Index m, Index i) const { return i == n_ ? 0.0 : diagonals_(m, i); }
double PairState::product(Index m, Index i) const { return i == n_ ? 0.0 : U_(m, i); }

double PairState::constant_for(const Pair& pair) const {
  const bool changes_sum = pair.up == n_ || pair.down == n_;
  return problem_.bias == Bias::penalised && changes_sum ? 1.0 : 0.0;
}

const Matrix& PairState::rows_of(Index i) { return i == n_ ? zeros_ : rows_.of(i); }

void PairState::score_partners(Index up, const ConjugateCurvature& curvature, Index begin,
                               Index end, Pair& best) const {
  const auto count = static_cast<std::size_t>(end - begin);
  Vector plain(count, 0.0);     // sum_m d_m h_m
  Vector weighted(count, 0.0);  // sum_m d_m g_m
  Vector squares(count, 0.0);   // sum_m e_m g_m^2
  for (Index m = 0; m < M_; ++m) {
    const double d = d_[static_cast<std::size_t>(m)];
    const double e = curvature.diagonal[static_cast<std::size_t>(m)];
    const double own = diagonal(m, up);
    const double u = product(m, up);
    const double* row = up_->row(m).data() + begin;
    const double* others = diagonals_.row(m).data() + begin;
    const double* products = U_.row(m).data() + begin;
    for (std::size_t k = 0; k < count; ++k) {
      const double g = u - products[k];
      plain[k] += d * (own + others[k] - 2.0 * row[k]);
      weighted[k] += d * g;
      squares[k] += e * g * g;
    }
  }
  for (Index j = begin; j < end; ++j) {
    Pair pair{up, j, slope(up, true) - slope(j, false), 0.0};
    if (j == up || !movable(j, false) || pair.slope <= 0.0) continue;
    const auto k = static_cast<std::size_t>(j - begin);
    const double own = up == n_ ? 0.0 : curve_[static_cast<std::size_t>(up)];
    const double bend = plain[k] +
                        4.0 * (squares[k] + curvature.rank_one * weighted[k] * weighted[k]) + own +
                        curve_[static_cast<std::size_t>(j)] + constant_for(pair);
    pair.score = pair.slope * pair.slope / std::max(bend, 1e-12);
    if (pair.score > best.score) best = pair;
  }
}

PairState::Pair PairState::best_partner(Index up) {
  const ConjugateCurvature curvature = support_.curvature(q_, d_);
  up_ = &rows_of(up);
  std::vector<Pair> best(static_cast<std::size_t>(blocks_of(n_, samples_per_task)));
  parallel_blocks(context_, n_, samples_per_task, [&](Index task, Index begin, Index end) {
    score_partners(up, curvature, begin, end, best[static_cast<std::size_t>(task)]);
  });
  Pair top;
  for (const Pair& pair : best) {
    if (pair.score > top.score) top = pair;
  }
  if (up == n_ || !movable(n_, false)) return top;
  // The slack as partner: only `up` moves.
  Pair alone{up, n_, slope(up, true), 0.0};
  double bend = curve_[static_cast<std::size_t>(up)] + constant_for(alone);
  double weighted = 0.0;
  for (Index m = 0; m < M_; ++m) {
    const auto at = static_cast<std::size_t>(m);
    const double u = product(m, up);
    bend += d_[at] * diagonal(m, up) + 4.0 * curvature.diagonal[at] * u * u;
    weighted += d_[at] * u;
  }
  bend += 4.0 * curvature.rank_one * weighted * weighted;
  if (alone.slope > 0.0) alone.score = alone.slope * alone.slope / std::max(bend, 1e-12);
  return alone.score > top.score ? alone : top;
}

double PairState::longest_step(const Pair& pair) const {
  double longest = std::numeric_limits<double>::infinity();
  if (pair.up != n_) {
    const auto i = static_cast<std::size_t>(pair.up);
    longest = set_.upper[i] - a_[i];
    if (kink_[i] > 0.0 && a_[i] < 0.0) longest = std::min(longest, -a_[i]);
  }
  if (pair.down != n_) {
    const auto j = static_cast<std::size_t>(pair.down);
    longest = std::min(longest, a_[j] - set_.lower[j]);
    if (kink_[j] > 0.0 && a_[j] > 0.0) longest = std::min(longest, a_[j]);
  }
  return longest;
}

double PairState::search(const Pair& pair, ConstSpan g, ConstSpan h) const {
  double bend = constant_for(pair);
  if (pair.up != n_) bend += curve_[static_cast<std::size_t>(pair.up)];
  if (pair.down != n_) bend += curve_[static_cast<std::size_t>(pair.down)];
  const double now = std::inner_product(d_.begin(), d_.end(), g.begin(), 0.0);
  Vector q(q_.size());
  Vector d(q_.size());
  const auto derivative = [&](double t) {
    forms_along(q_, g, h, t, q);
    support_.maximizing_weights(q, d);
    double kernels = 0.0;
    for (std::size_t m = 0; m < d.size(); ++m) kernels += d[m] * (g[m] + t * h[m]);
    return pair.slope - t * bend - (kernels - now);
  };
  const double model = pair.score > 0.0 ? pair.score / pair.slope : 1.0;
  return root_of_decreasing(model, longest_step(pair), derivative);
}

void PairState::move(const Pair& pair, double t, ConstSpan g, ConstSpan h) {
  const double longest = longest_step(pair);
  const auto shift = [&](Index i, double change) {
    if (i == n_) return;
    const auto at = static_cast<std::size_t>(i);
    a_[at] = std::clamp(a_[at] + change, set_.lower[at], set_.upper[at]);
    // A step to the kink ends exactly there.
    if (t == longest && std::abs(a_[at]) <= 1e-15 * t) a_[at] = 0.0;
  };
  shift(pair.up, t);
  shift(pair.down, -t);
  if (problem_.bias == Bias::penalised) {
    sum_ += (pair.up == n_ ? 0.0 : t) - (pair.down == n_ ? 0.0 : t);
  }
  const Vector before = q_;
  forms_along(before, g, h, t, q_);
  support_.maximizing_weights(q_, d_);
  const Matrix& down = rows_of(pair.down);
  parallel_blocks(context_, n_, samples_per_task, [&](Index, Index begin, Index end) {
    const auto count = static_cast<std::size_t>(end - begin);
    Vector sum(count, 0.0);
    for (Index m = 0; m < M_; ++m) {
      const double* row = up_->row(m).data() + begin;
      const double* other = down.row(m).data() + begin;
      double* u = U_.row(m).data() + begin;
      const double weight = d_[static_cast<std::size_t>(m)];
      for (std::size_t k = 0; k < count; ++k) {
        u[k] += t * (row[k] - other[k]);
        sum[k] += weight * u[k];
      }
    }
    std::ranges::copy(sum, z_.begin() + begin);
  });
}

bool PairState::step() {
  constexpr double rounding = 1e-14;
  const Index up = steepest();
  if (up < 0) return false;
  const Pair pair = best_partner(up);
  if (pair.up < 0 || !(pair.slope > rounding)) return false;
  Vector g(q_.size());
  Vector h(q_.size());
  for (Index m = 0; m < M_; ++m) {
    const auto at = static_cast<std::size_t>(m);
    const double between = pair.down == n_ ? 0.0 : (*up_)(m, pair.down);
    g[at] = product(m, pair.up) - product(m, pair.down);
    h[at] = std::max(diagonal(m, pair.up) + diagonal(m, pair.down) - 2.0 * between, 0.0);
  }
  const double t = search(pair, g, h);
  if (!(t > 0.0)) return false;
  move(pair, t, g, h);
  return true;
}

}  // namespace kernmix
