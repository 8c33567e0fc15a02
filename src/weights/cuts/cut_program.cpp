#include "weights/cuts/cut_program.hpp"

#include <ClpSimplex.hpp>
#include <algorithm>
#include <limits>

#include "base/samples.hpp"

namespace kernmix {
namespace {

/// Above this number of cuts, those with zero multiplier are dropped (the rule of shogun's SILP).
constexpr std::size_t kManyCuts = 200;
constexpr double kProgramTolerance = 1e-10;
/// The row of sum d = 1 precedes the rows of the cuts.
constexpr int kRowsBeforeCuts = 1;

std::vector<int> columns_up_to(Index count) { return index_range<int>(0, static_cast<int>(count)); }

}  // namespace

CutProgram::CutProgram(Index M, double upper_bound)
    : kernels_(M),
      upper_bound_(std::min(upper_bound, 1.0)),
      cuts_(std::numeric_limits<std::size_t>::max()),
      program_(std::make_unique<ClpSimplex>()) {
  program_->setLogLevel(0);
  program_->setPrimalTolerance(kProgramTolerance);
  program_->setDualTolerance(kProgramTolerance);
  const auto t = static_cast<int>(M);
  program_->resize(0, t + 1);
  for (int m = 0; m < t; ++m) program_->setColumnBounds(m, 0.0, upper_bound_);
  program_->setColumnBounds(t, -COIN_DBL_MAX, COIN_DBL_MAX);
  program_->setObjectiveCoefficient(t, 1.0);
  const Vector ones(static_cast<std::size_t>(M), 1.0);
  program_->addRow(t, columns_up_to(M).data(), ones.data(), 1.0, 1.0);
}

CutProgram::~CutProgram() = default;

void CutProgram::add(Cut cut) {
  constexpr double kMuchLarger = 10.0;
  const double size = std::max(std::abs(cut.gain), 0.5 * *std::ranges::max_element(cut.q));
  cuts_.add(std::move(cut));
  if (size <= kMuchLarger * scale_) return add_row(cuts_.size() - 1);
  scale_ = size;
  rebuild();
}

/// The numbers of the program stay about 1, whatever task gave the first cut and in whatever unit.
void CutProgram::rebuild() {
  std::vector<int> rows;
  for (int row = kRowsBeforeCuts; row < program_->numberRows(); ++row) rows.push_back(row);
  if (!rows.empty()) program_->deleteRows(static_cast<int>(rows.size()), rows.data());
  for (std::size_t i = 0; i < cuts_.size(); ++i) add_row(i);
}

void CutProgram::add_row(std::size_t i) {
  const double scale = scale_ > 0.0 ? scale_ : 1.0;
  Vector row(cuts_.q(i));
  for (double& entry : row) entry *= 0.5 / scale;
  row.push_back(1.0);
  program_->addRow(static_cast<int>(row.size()), columns_up_to(length(row)).data(), row.data(),
                   cuts_.gain(i) / scale, COIN_DBL_MAX);
}

CutMinimum CutProgram::solve() {
  program_->dual();
  if (program_->status() != 0) program_->primal();

  CutMinimum minimum;
  minimum.d.resize(static_cast<std::size_t>(kernels_));
  const double* column = program_->getColSolution();
  double sum = 0.0;
  for (std::size_t m = 0; m < minimum.d.size(); ++m) {
    minimum.d[m] = std::clamp(column[m], 0.0, upper_bound_);
    sum += minimum.d[m];
  }
  if (!(sum > 0.0)) {
    minimum.d.assign(minimum.d.size(), 1.0);
    sum = static_cast<double>(kernels_);
  }
  for (double& weight : minimum.d) weight = std::min(weight / sum, upper_bound_);

  minimum.multipliers = multipliers();
  drop_idle_cuts(minimum.multipliers);
  minimum.q.assign(minimum.d.size(), 0.0);
  for (std::size_t i = 0; i < cuts_.size(); ++i) {
    const double share = minimum.multipliers[i];
    minimum.gain += share * cuts_.gain(i);
    for (std::size_t m = 0; m < minimum.q.size(); ++m) minimum.q[m] += share * cuts_.q(i)[m];
  }
  return minimum;
}

Vector CutProgram::multipliers() const {
  const double* price = program_->getRowPrice() + kRowsBeforeCuts;
  Vector shares(price, price + cuts_.size());
  double sum = 0.0;
  for (double& share : shares) {
    share = std::max(share, 0.0);
    sum += share;
  }
  // If all prices are zero, the simplex method has failed. The last cut alone is still a valid
  // bound.
  if (!(sum > 0.0)) shares.back() = sum = 1.0;
  for (double& share : shares) share /= sum;
  return shares;
}

void CutProgram::drop_idle_cuts(Vector& multipliers) {
  if (cuts_.size() <= kManyCuts) return;
  std::vector<int> rows;
  for (std::size_t i = cuts_.size() / 2; i-- > 0;) {  // the older half, in reverse order
    if (multipliers[i] > 0.0) continue;
    cuts_.erase(i);
    multipliers.erase(multipliers.begin() + static_cast<std::ptrdiff_t>(i));
    rows.push_back(static_cast<int>(i) + kRowsBeforeCuts);
  }
  if (!rows.empty()) program_->deleteRows(static_cast<int>(rows.size()), rows.data());
}

}  // namespace kernmix
