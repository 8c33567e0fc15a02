#include "weights/strategies/predicted_dual.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/blas_threads.hpp"
#include "base/parallel.hpp"
#include "base/symmetric.hpp"
#include "weights/curvature.hpp"
#include "weights/objective.hpp"
#include "weights/strategies/strategies.hpp"

namespace kernmix {
namespace {

/// The step x of the free samples, S x = E mu - change. The constraints are E'x = 0 for the fixed
/// sums, and x = room for samples that have reached a bound. The latter add columns of the identity
/// to E.
class FreeSteps {
 public:
  FreeSteps(const FreeBlockFactor& factor, const Eigen::VectorXd& change, Eigen::MatrixXd sums)
      : factor_(factor),
        sums_(std::move(sums)),
        unbound_(factor.solve(-change)),
        Y_(factor.solve(sums_)) {}

  [[nodiscard]] const std::vector<Index>& stopped() const { return stopped_; }

  void stop(const std::vector<Index>& samples, const Vector& room) {
    Eigen::MatrixXd units = Eigen::MatrixXd::Zero(unbound_.size(), length(samples));
    for (Index s = 0; s < length(samples); ++s) {
      units(samples[static_cast<std::size_t>(s)], s) = 1.0;
    }
    Y_.conservativeResize(Eigen::NoChange, Y_.cols() + length(samples));
    Y_.rightCols(length(samples)) = factor_.solve(std::move(units));
    stopped_.insert(stopped_.end(), samples.begin(), samples.end());
    room_.insert(room_.end(), room.begin(), room.end());
  }

  [[nodiscard]] Eigen::VectorXd step() const {
    if (Y_.cols() == 0) return unbound_;
    Eigen::MatrixXd missing = held(unbound_);
    missing.bottomRows(length(room_)) -= as_vector(ConstSpan(room_));
    return unbound_ - Y_ * solve_symmetric(held(Y_), missing);
  }

 private:
  /// E'B
  [[nodiscard]] Eigen::MatrixXd held(const Eigen::MatrixXd& B) const {
    Eigen::MatrixXd product(Y_.cols(), B.cols());
    product << sums_.transpose() * B, B(stopped_, Eigen::indexing::all);
    return product;
  }

  const FreeBlockFactor& factor_;
  Eigen::MatrixXd sums_;
  std::vector<Index> stopped_;
  Vector room_;
  Eigen::VectorXd unbound_;  ///< the unconstrained step
  Eigen::MatrixXd Y_;        ///< S^{-1} E
};

/// Adds the step to the free samples of a, clipped to their intervals. The sums of the blocks are
/// correct up to rounding, because the clipped amount is distributed over the samples inside their
/// intervals.
Vector moved(const DualSet& set, const Point& point, const Eigen::VectorXd& step) {
  Vector a = point.a;
  Vector taken(set.totals.size(), 0.0);
  Vector inside(set.totals.size(), 0.0);
  const auto clip = [&](std::size_t i, double value) {
    a[i] = std::clamp(value, set.lower[i], set.upper[i]);
    return a[i] == value;
  };
  for (Index k = 0; k < length(point.free); ++k) {
    const auto i = static_cast<std::size_t>(point.free[static_cast<std::size_t>(k)]);
    const bool within = clip(i, point.a[i] + step[k]);
    if (!set.balanced()) continue;
    const auto c = static_cast<std::size_t>(set.block[i]);
    taken[c] += a[i] - point.a[i];
    if (within) inside[c] += 1.0;
  }
  if (!set.balanced()) return a;
  for (const Index k : point.free) {
    const auto i = static_cast<std::size_t>(k);
    const auto c = static_cast<std::size_t>(set.block[i]);
    if (inside[c] > 0.0 && set.lower[i] < a[i] && a[i] < set.upper[i]) {
      clip(i, a[i] - taken[c] / inside[c]);
    }
  }
  make_feasible(set, a);
  return a;
}

/// (K(target) - K(d)) a at the free samples of the point.
Eigen::VectorXd change_of_products(const Objective& J, const Point& point, ConstSpan target) {
  std::vector<Index> changed;
  Vector difference;
  Vector more(target.size(), 0.0);
  Vector less(target.size(), 0.0);
  for (std::size_t m = 0; m < target.size(); ++m) {
    const double by = target[m] - point.d[m];
    if (by == 0.0) continue;
    changed.push_back(static_cast<Index>(m));
    difference.push_back(by);
    (by > 0.0 ? more : less)[m] = std::abs(by);
  }
  if (point.products != nullptr) {
    const Eigen::MatrixXd U = at_free_samples(*point.products, changed, point);
    if (U.size() > 0) return U * as_vector(ConstSpan(difference));
  }
  const Vector gained = J.product(more, point.a);
  const Vector lost = J.product(less, point.a);
  return (as_vector(ConstSpan(gained)) - as_vector(ConstSpan(lost)))(point.free);
}

}  // namespace

Vector predicted_dual(const DualSet& set, const Point& point, const FreeBlockFactor& factor,
                      const Eigen::VectorXd& change) {
  // With more samples at bounds than this, the first order prediction is unreliable, and the
  // columns would take too much memory.
  constexpr Index kShareToStop = 8;
  constexpr Index kMostToStop = 64;
  constexpr int kTimesToStop = 3;
  const Index F = length(point.free);
  const Index most = std::min(F / kShareToStop, kMostToStop);
  FreeSteps steps(factor, change, held_sums(set, point.free));
  Eigen::VectorXd step = steps.step();
  for (int round = 0; round < kTimesToStop; ++round) {
    std::vector<Index> leaving;
    Vector room;
    for (Index k = 0; k < F; ++k) {
      const auto i = static_cast<std::size_t>(point.free[static_cast<std::size_t>(k)]);
      const double end = std::clamp(point.a[i] + step[k], set.lower[i], set.upper[i]);
      const bool stays = std::ranges::find(steps.stopped(), k) != steps.stopped().end();
      if (stays || end == point.a[i] + step[k]) continue;
      leaving.push_back(k);
      room.push_back(end - point.a[i]);
    }
    if (leaving.empty()) break;
    if (length(steps.stopped()) + length(leaving) > most) return {};
    steps.stop(leaving, room);
    step = steps.step();
  }
  return moved(set, point, step);
}

namespace {

/// The predicted dual vectors of all tasks, end to end. Tasks without free samples or with too
/// large steps keep their present vectors. The result is empty if all steps are too large.
Vector predicted_duals(const Objective& J, const Point& point, const LocalModel& model,
                       ConstSpan target) {
  const Eigen::VectorXd change = change_of_products(J, point, target);
  std::vector<Vector> parts(model.factors.size());
  std::vector<Index> begins;
  Index begin = 0;
  for (Index k = 0; k < J.problem().size(); ++k) {
    begins.push_back(begin);
    begin += length(J.part(point, k).free);
  }
  parallel_for(J.context(), J.problem().size(), [&](Index k) {
    const auto at = static_cast<std::size_t>(k);
    if (!model.factors[at]) return;
    const Point part = J.part(point, k);
    parts[at] = predicted_dual(J.dual_set(k), part, *model.factors[at],
                               change.segment(begins[at], length(part.free)));
  });
  if (std::ranges::all_of(parts, &Vector::empty)) return {};
  Vector a;
  const TaskSpans before = J.parts(point.a);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const ConstSpan own = parts[k].empty() ? before[k] : ConstSpan(parts[k]);
    a.insert(a.end(), own.begin(), own.end());
  }
  return a;
}

/// Certifies the prediction without an SVM. This takes a product with K(d), which is computed first
/// and shows whether the prediction justifies the pass for the forms.
void certify_predicted(Objective& J, ConstSpan d, const Vector& a) {
  constexpr double kShare = 0.5;
  Vector z = J.product(d, a);
  if (J.inner_gap(a, z) > kShare * J.tolerance() * J.size_at(d)) return;
  J.certify_pair(Vector(d.begin(), d.end()), a, J.forms(a), std::move(z),
                 strategy::predicted_dual.name);
}

}  // namespace

void offer_predicted_dual(Objective& J, const Point& point, const LocalModel& model,
                          ConstSpan target) {
  // For fewer samples, an SVM is as fast as the prediction. The prediction is cheaper if products
  // came with q.
  constexpr Index kLeast = 500;
  constexpr Index kLeastDense = 100;
  constexpr double kNear = 10.0;   // a good step divides the gap by more
  constexpr double kClose = 1e-4;  // below this, S is too inexact for a starting point
  const Index least = point.products == nullptr ? kLeast : kLeastDense;
  const bool known = std::ranges::any_of(model.factors, [](const auto& own) { return bool(own); });
  if (!known || J.problem().samples() < least) return;
  const double gap = point.certificate.relative_gap();
  const bool near = gap <= kNear * J.tolerance();
  if (!near && gap < kClose) return;
  const SerialBlas serial;
  Vector a = predicted_duals(J, point, model, target);
  if (a.empty()) return;
  if (near) certify_predicted(J, target, a);
  if (J.finished() || gap < kClose) return;
  J.start_from(a);
}

const Strategy strategy::predicted_dual{
    .name = "predicted-dual",
    .what = "predicts the next dual vector from Newton's model, and certifies it or starts from it",
    .foresee = offer_predicted_dual};

}  // namespace kernmix
