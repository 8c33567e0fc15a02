#include "svm/smo/active_set.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace kernmix::smo {
namespace {

constexpr float infinity_single = std::numeric_limits<float>::infinity();

/// Shrinking is worthwhile if at most this share of the active variables remains.
constexpr double shrink_below = 0.7;

}  // namespace

ActiveSet::ActiveSet(const BoxProblem& problem) : problem_(problem) {
  const auto n = static_cast<std::size_t>(problem.n);
  members_.resize(n);
  dropped_.reserve(n);
  for (Vector* values : {&a_, &lower_, &upper_, &gradient_, &kink_, &side_}) values->resize(n);
  block_.resize(n);
  diagonal_.resize(n);
  row_ready_.resize(n);
  if (!problem.block.empty()) block_count_ = 1 + *std::ranges::max_element(problem.block);
  for (Index c = 0; c < block_count_; ++c) {
    Block& block = blocks_[c];
    block.rise_penalty.resize(n);
    block.fall_penalty.resize(n);
    block.arrays = {0, gradient_.data(), block.rise_penalty.data(), block.fall_penalty.data(),
                    diagonal_.data()};
  }
}

void ActiveSet::resize(Index size) {
  size_ = size;
  for (Block& block : blocks_) block.arrays.n = size;
}

void ActiveSet::activate_all(ConstSpan a, ConstSpan gradient) {
  const Index n = problem_.n;
  resize(n);
  std::iota(members_.begin(), members_.end(), Index{0});
  dropped_.clear();
  std::copy(problem_.lower.begin(), problem_.lower.end(), lower_.begin());
  std::copy(problem_.upper.begin(), problem_.upper.end(), upper_.begin());
  std::copy(problem_.kink.begin(), problem_.kink.end(), kink_.begin());
  std::copy(problem_.block.begin(), problem_.block.end(), block_.begin());
  for (Index k = 0; k < n; ++k) diagonal_[k] = problem_.K[k * n + k];
  load(a, gradient);
}

void ActiveSet::load(ConstSpan a, ConstSpan gradient) {
  for (Index k = 0; k < size_; ++k) {
    a_[k] = a[members_[k]];
    gradient_[k] = gradient[members_[k]];
    side_[k] = 0.0;
    note_bounds(k);
  }
  choose_sides();
  select_risers();
}

void ActiveSet::store(MutableSpan a) const {
  for (Index k = 0; k < size_; ++k) a[members_[k]] = a_[k];
}

void ActiveSet::store_gradient(MutableSpan gradient) const {
  for (Index k = 0; k < size_; ++k) gradient[members_[k]] = gradient_[k] - side_[k] * kink_[k];
}

void ActiveSet::note_bounds(Index k) {
  for (Index c = 0; c < block_count_; ++c) {
    const bool own = block_[k] == c;
    blocks_[c].rise_penalty[k] = own && a_[k] < upper_[k] ? 0.0F : infinity_single;
    blocks_[c].fall_penalty[k] = own && a_[k] > lower_[k] ? 0.0F : -infinity_single;
  }
}

void ActiveSet::select_risers() {
  for (Index c = 0; c < block_count_; ++c) blocks_[c].riser = select_riser(blocks_[c].arrays);
}

Derivatives ActiveSet::derivatives_at(Index k) const {
  return derivatives(problem_, members_[k], a_[k], gradient_[k] - side_[k] * kink_[k]);
}

Intervals ActiveSet::intervals() const {
  Intervals intervals;
  for (Index k = 0; k < size_; ++k) intervals[block_[k]].include(derivatives_at(k));
  return intervals;
}

void ActiveSet::put_on_side(Index k, double side) {
  gradient_[k] += (side - side_[k]) * kink_[k];
  side_[k] = side;
  lower_[k] = problem_.lower[members_[k]];
  upper_[k] = problem_.upper[members_[k]];
  (side > 0.0 ? lower_ : upper_)[k] = std::clamp(0.0, lower_[k], upper_[k]);
  note_bounds(k);
}

/// At 0 the right side if G is closer to the variables that may increase than to those that may
/// decrease, so that the more violated condition can move.
void ActiveSet::choose_sides() {
  if (problem_.kink.empty()) return;
  const Intervals present = intervals();
  for (Index k = 0; k < size_; ++k) {
    if (kink_[k] == 0.0) continue;
    const Derivatives both = derivatives_at(k);
    const Interval& block = present[block_[k]];
    const bool right = a_[k] > 0.0 || (a_[k] == 0.0 && block.largest_falling - both.rising >=
                                                           both.falling - block.least_rising);
    put_on_side(k, right ? 1.0 : -1.0);
  }
  select_risers();
}

/// Moves a variable that reached 0 from one side to the other side.
void ActiveSet::pass_kink(Index k, double before) {
  if (kink_[k] == 0.0 || a_[k] != 0.0 || before == 0.0) return;
  const double side = before > 0.0 ? -1.0 : 1.0;
  const Index variable = members_[k];
  const bool open = side > 0.0 ? problem_.upper[variable] > 0.0 : problem_.lower[variable] < 0.0;
  if (open) put_on_side(k, side);
}

/// A variable is inactive if it cannot move, or if no pair with it improves the objective.
bool ActiveSet::may_leave(Index k, const Intervals& intervals) const {
  const Derivatives own = derivatives_at(k);
  const Interval& block = intervals[block_[k]];
  return own.rising > block.largest_falling && own.falling < block.least_rising;
}

void ActiveSet::shrink(MutableSpan a) {
  const Intervals present = intervals();
  Index leaving = 0;
  for (Index k = 0; k < size_; ++k) leaving += may_leave(k, present) ? 1 : 0;
  if (static_cast<double>(size_ - leaving) > shrink_below * static_cast<double>(size_)) return;
  store(a);
  compact(present);
  reserve_rows();
  select_risers();
}

void ActiveSet::compact(const Intervals& intervals) {
  Index kept = 0;
  for (Index k = 0; k < size_; ++k) {
    if (may_leave(k, intervals)) {
      dropped_.push_back(members_[k]);
      continue;
    }
    members_[kept] = members_[k];
    for (Vector* values : {&a_, &lower_, &upper_, &gradient_, &kink_, &side_}) {
      (*values)[kept] = (*values)[k];
    }
    block_[kept] = block_[k];
    diagonal_[kept] = diagonal_[k];
    note_bounds(kept++);
  }
  resize(kept);
}

void ActiveSet::reserve_rows() {
  const Index needed = size_ * size_;
  if (needed > rows_capacity_) {
    rows_.reset();
    rows_ = std::make_unique_for_overwrite<float[]>(static_cast<std::size_t>(needed));
    rows_capacity_ = needed;
  }
  std::fill_n(row_ready_.begin(), size_, static_cast<unsigned char>(0));
}

const float* ActiveSet::row(Index k) {
  const float* whole = problem_.K.data() + members_[k] * problem_.n;
  if (full()) return whole;
  float* part = rows_.get() + k * size_;
  if (row_ready_[k] == 0) {
    for (Index l = 0; l < size_; ++l) part[l] = whole[members_[l]];
    row_ready_[k] = 1;
  }
  return part;
}

bool ActiveSet::holds_without_dropped(ConstSpan a, ConstSpan gradient, double tolerance) const {
  const Intervals present = intervals();
  return std::ranges::all_of(dropped_, [&](Index k) {
    const Derivatives own = derivatives(problem_, k, a[k], gradient[k]);
    const Interval& block = present[block_of(problem_, k)];
    return own.rising > block.largest_falling - tolerance &&
           own.falling < block.least_rising + tolerance;
  });
}

Pair ActiveSet::select_pair() {
  Pair best;
  float best_gain = -1.0F;
  double violation = 0.0;
  for (Index c = 0; c < block_count_; ++c) {
    const Candidate& riser = blocks_[c].riser;
    if (riser.index < 0) continue;
    const Partner partner = select_faller(blocks_[c].arrays, riser, row(riser.index));
    violation = std::max(violation, partner.violation);
    if (partner.gain <= best_gain || partner.index < 0) continue;
    best = {riser.index, partner.index, 0.0};
    best_gain = partner.gain;
  }
  best.violation = violation;
  return best;
}

bool ActiveSet::move(const Pair& pair) {
  const Index i = pair.riser;
  const Index j = pair.faller;
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
  pass_kink(i, before_i);
  pass_kink(j, before_j);
  blocks_[0].riser = move_and_select_riser(blocks_[0].arrays, step, row_i, row_j);
  for (Index c = 1; c < block_count_; ++c) blocks_[c].riser = select_riser(blocks_[c].arrays);
  return a_[i] != before_i || a_[j] != before_j;
}

}  // namespace kernmix::smo
