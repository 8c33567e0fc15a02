#pragma once
/// \file
/// The linear program over all cutting planes of J, for weights on the simplex and no penalty:
///
///   min_{d, t} t   s.t.  t >= gain_i - 1/2 q_i' d  for every cut i,   sum d = 1,  0 <= d <= u

#include <memory>

#include "weights/cuts/bundle.hpp"

class ClpSimplex;

namespace kernmix {

/// The minimiser of the maximum of the cuts, with the multipliers that prove its optimality.
struct CutMinimum {
  Vector d;
  Vector multipliers;  ///< >= 0, sum 1, one per cut
  double gain = 0.0;   ///< sum_i multiplier_i gain_i
  Vector q;            ///< sum_i multiplier_i q_i

  /// A lower bound on J over D, valid even if the linear program was solved inexactly: for any
  /// multipliers min_{d in D} max_i cut_i(d) >= gain - max_{d in D} 1/2 q'd.
  template <typename R>
  [[nodiscard]] double lower_bound(const R& regularizer) const {
    return gain - regularizer.conjugate(q);
  }
};

/// The linear program to which cuts are added one at a time. The simplex method (CLP) warm-starts
/// from its last basis. Above a threshold, cuts with zero multiplier are dropped.
class CutProgram {
 public:
  /// \param M            number of kernels
  /// \param upper_bound  u, at least 1/M, may be infinite
  CutProgram(Index M, double upper_bound);
  ~CutProgram();
  CutProgram(const CutProgram&) = delete;
  CutProgram& operator=(const CutProgram&) = delete;

  void add(const Point& point) { add(Cut{point.gain, point.q, point.a, 0}); }
  void add(Cut cut);
  [[nodiscard]] CutMinimum solve();
  [[nodiscard]] const Bundle& cuts() const { return cuts_; }

 private:
  void add_row(std::size_t i);
  void rebuild();
  void drop_idle_cuts(Vector& multipliers);
  [[nodiscard]] Vector multipliers() const;

  Index kernels_;
  double upper_bound_;
  double scale_ = 0.0;  ///< of all rows, that of the largest cut; 0 while all cuts are zero
  Bundle cuts_;
  std::unique_ptr<ClpSimplex> program_;
};

}  // namespace kernmix
