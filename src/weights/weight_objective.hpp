#pragma once
/// \file
/// What newton.hpp asks of a run: that of one problem, of many tasks in one or of all classes. An
/// interface, so that each regularizer's steps are compiled once and not for every kind of run.

#include <string>
#include <vector>

#include "regularizer/weight_model.hpp"
#include "weights/point.hpp"

namespace kernmix {

class Objective;

class WeightObjective {
 public:
  virtual ~WeightObjective() = default;
  WeightObjective(const WeightObjective&) = delete;
  WeightObjective& operator=(const WeightObjective&) = delete;

  /// J at d, to a small part of the outer gap.
  virtual Point evaluate(Vector d, const std::string& step) = 0;
  /// Gradient and curvature of J for the kernels `subset`.
  [[nodiscard]] virtual WeightModel weight_model(const Point& point,
                                                 const std::vector<Index>& subset) = 0;

  /// `point` for weight_model() of a step that may change the set of free samples (near_kinks.hpp).
  [[nodiscard]] virtual Point softened(Point point) const { return point; }

  /// The dual vector that the last weight_model(), of `point`, expects at `target`: the next inner
  /// problem starts from it, unless its certificate ends the run.
  virtual void extrapolate(const Point& /*point*/, ConstSpan /*target*/) {}

  /// Weights that solve the problem on a part of its samples well; empty where that would gain
  /// little (sample_part.hpp).
  [[nodiscard]] virtual Vector weights_of_part() { return {}; }
  /// Points bring Point::products along from now on, where they cost nothing.
  virtual void keep_products() {}
  /// evaluate() may read these kernels only (ascending; empty: all).
  virtual void restrict_to(const std::vector<Index>& /*kernels*/) {}
  /// Measures at full precision what evaluate() measured on K(d) in single precision.
  virtual void make_exact(Point& /*point*/) const {}
  /// The next inner problem starts from this dual vector.
  virtual void start_from(Vector a) = 0;
  /// A dual vector whose certificate is at least `bound`.
  virtual void raise_lower_bound(Vector a, double bound) = 0;
  /// No step is left that improves the certificate.
  virtual void give_up() = 0;

  [[nodiscard]] virtual bool finished() const = 0;
  [[nodiscard]] virtual double best_relative_gap() const = 0;
  [[nodiscard]] virtual double best_primal() const = 0;
  [[nodiscard]] virtual double best_dual() const = 0;
  [[nodiscard]] virtual double tolerance() const = 0;
  [[nodiscard]] virtual Index kernels() const = 0;
  /// Entries of the dual vector.
  [[nodiscard]] virtual Index samples() const = 0;
  /// Whether most of what the bank holds are whole matrices, so that each kernel is dear to read.
  [[nodiscard]] virtual bool reads_dense_kernels() const { return false; }
  /// The run itself where it is that of one problem, else null.
  [[nodiscard]] virtual Objective* single_task() { return nullptr; }

 protected:
  WeightObjective() = default;
};

}  // namespace kernmix
