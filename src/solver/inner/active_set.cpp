#include "solver/inner/active_set.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace kernmix::smo {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr float infinity_single = std::numeric_limits<float>::infinity();

/// Shrinking pays once this share of the active variables is left.
constexpr double shrink_below = 0.7;

}  // namespace

ActiveSet::ActiveSet(const BoxProblem& problem) : problem_(problem) {
  const auto n = static_cast<std::size_t>(problem.n);
  members_.resize(n);
  dropped_.reserve(n);
  for (Vector* values : {&a_, &lower_, &upper_, &gradient_}) values->resize(n);
  for (auto* values : {&rise_penalty_, &fall_penalty_, &diagonal_}) values->resize(n);
  row_ready_.resize(n);
}

void ActiveSet::activate_all(ConstSpan a, ConstSpan gradient) {
  const Index n = problem_.n;
  arrays_ = {n, gradient_.data(), rise_penalty_.data(), fall_penalty_.data(), diagonal_.data()};
  std::iota(members_.begin(), members_.end(), Index{0});
  dropped_.clear();
  std::copy(problem_.lower.begin(), problem_.lower.end(), lower_.begin());
  std::copy(problem_.upper.begin(), problem_.upper.end(), upper_.begin());
  for (Index k = 0; k < n; ++k) diagonal_[k] = problem_.K[k * n + k];
  load(a, gradient);
}

void ActiveSet::load(ConstSpan a, ConstSpan gradient) {
  for (Index k = 0; k < arrays_.n; ++k) {
    a_[k] = a[members_[k]];
    gradient_[k] = gradient[members_[k]];
    note_bounds(k);
  }
  riser_ = select_riser(arrays_);
}

void ActiveSet::store(MutableSpan a) const {
  for (Index k = 0; k < arrays_.n; ++k) a[members_[k]] = a_[k];
}

void ActiveSet::note_bounds(Index k) {
  rise_penalty_[k] = a_[k] < upper_[k] ? 0.0F : infinity_single;
  fall_penalty_[k] = a_[k] > lower_[k] ? 0.0F : -infinity_single;
}

ActiveSet::Interval ActiveSet::interval() const {
  Interval interval{infinity, -infinity};
  for (Index k = 0; k < arrays_.n; ++k) {
    interval.least_rising =
        std::min(interval.least_rising, gradient_[k] + double{rise_penalty_[k]});
    interval.largest_falling =
        std::max(interval.largest_falling, gradient_[k] + double{fall_penalty_[k]});
  }
  return interval;
}

/// A variable at its upper bound moves only as the falling one of a pair, so it rests while
/// G_k < min G over those that may rise; at the lower bound likewise.
bool ActiveSet::may_leave(Index k, const Interval& interval) const {
  const bool may_rise = a_[k] < upper_[k];
  const bool may_fall = a_[k] > lower_[k];
  if (may_rise && may_fall) return false;
  return (!may_fall || gradient_[k] < interval.least_rising) &&
         (!may_rise || gradient_[k] > interval.largest_falling);
}

void ActiveSet::shrink(MutableSpan a) {
  const Interval present = interval();
  Index leaving = 0;
  for (Index k = 0; k < arrays_.n; ++k) leaving += may_leave(k, present) ? 1 : 0;
  if (static_cast<double>(arrays_.n - leaving) > shrink_below * static_cast<double>(arrays_.n)) {
    return;
  }
  store(a);
  compact(present);
  reserve_rows();
  riser_ = select_riser(arrays_);
}

void ActiveSet::compact(const Interval& interval) {
  Index kept = 0;
  for (Index k = 0; k < arrays_.n; ++k) {
    if (may_leave(k, interval)) {
      dropped_.push_back(members_[k]);
      continue;
    }
    members_[kept] = members_[k];
    a_[kept] = a_[k];
    lower_[kept] = lower_[k];
    upper_[kept] = upper_[k];
    gradient_[kept] = gradient_[k];
    diagonal_[kept] = diagonal_[k];
    note_bounds(kept++);
  }
  arrays_.n = kept;
}

void ActiveSet::reserve_rows() {
  const Index needed = arrays_.n * arrays_.n;
  if (needed > rows_capacity_) {
    rows_.reset();
    rows_ = std::make_unique_for_overwrite<float[]>(static_cast<std::size_t>(needed));
    rows_capacity_ = needed;
  }
  std::fill_n(row_ready_.begin(), arrays_.n, static_cast<unsigned char>(0));
}

const float* ActiveSet::row(Index k) {
  const float* whole = problem_.K.data() + members_[k] * problem_.n;
  if (full()) return whole;
  float* part = rows_.get() + k * arrays_.n;
  if (row_ready_[k] == 0) {
    for (Index l = 0; l < arrays_.n; ++l) part[l] = whole[members_[l]];
    row_ready_[k] = 1;
  }
  return part;
}

bool ActiveSet::holds_without_dropped(ConstSpan a, ConstSpan gradient, double tolerance) const {
  const Interval present = interval();
  return std::all_of(dropped_.begin(), dropped_.end(), [&](Index k) {
    const bool may_rise = a[k] < problem_.upper[k];
    const bool may_fall = a[k] > problem_.lower[k];
    return (!may_rise || gradient[k] > present.largest_falling - tolerance) &&
           (!may_fall || gradient[k] < present.least_rising + tolerance);
  });
}

Partner ActiveSet::select_partner() {
  if (riser_.index < 0) return {};
  return select_faller(arrays_, riser_, row(riser_.index));
}

bool ActiveSet::move(Index j) {
  const Index i = riser_.index;
  const float* row_i = row(i);
  const float* row_j = row(j);
  const double K_ii = diagonal_[i];
  const double K_jj = diagonal_[j];
  const double curvature =
      std::max(K_ii + K_jj - 2.0 * double{row_i[j]}, least_curvature(K_ii, K_jj));
  const double wanted = (gradient_[j] - gradient_[i]) / curvature;
  const double room_i = upper_[i] - a_[i];
  const double room_j = a_[j] - lower_[j];
  const double step = std::min({wanted, room_i, room_j});

  const double before_i = a_[i];
  const double before_j = a_[j];
  a_[i] = step == room_i ? upper_[i] : before_i + step;
  a_[j] = step == room_j ? lower_[j] : before_j - step;
  note_bounds(i);
  note_bounds(j);
  riser_ = move_and_select_riser(arrays_, step, row_i, row_j);
  return a_[i] != before_i || a_[j] != before_j;
}

}  // namespace kernmix::smo
