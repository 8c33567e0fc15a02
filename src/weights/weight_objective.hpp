#pragma once
/// \file
/// What newton.hpp asks of J: that of one problem, of many tasks in one or of all classes. An
/// interface, so that each step is compiled once and not for every kind of problem.

#include <optional>
#include <string>
#include <vector>

#include "kernmix/answer.hpp"
#include "regularizer/weight_model.hpp"
#include "weights/free_block_factor.hpp"
#include "weights/point.hpp"

namespace kernmix {

class Objective;

/// The second order model of J at a point, on some kernels.
struct LocalModel {
  std::vector<Index> kernels;  ///< ascending
  WeightModel quadratic;       ///< of these
  /// S = L L' of the free samples, where it says how the dual vector moves with the weights.
  std::optional<FreeBlockFactor> factor;
};

class WeightObjective {
 public:
  virtual ~WeightObjective() = default;
  WeightObjective(const WeightObjective&) = delete;
  WeightObjective& operator=(const WeightObjective&) = delete;

  /// J at d, to a small part of the outer gap.
  virtual Point evaluate(Vector d, const std::string& step) = 0;
  /// Gradient and curvature of J for these kernels.
  [[nodiscard]] virtual LocalModel model(const Point& point, std::vector<Index> kernels) = 0;

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
  [[nodiscard]] virtual const SolverOptions& options() const = 0;
  [[nodiscard]] double tolerance() const { return options().tolerance; }
  [[nodiscard]] virtual Index kernels() const = 0;
  /// Entries of the dual vector.
  [[nodiscard]] virtual Index samples() const = 0;
  /// Whether most of what the bank holds are whole matrices, so that each kernel is dear to read.
  [[nodiscard]] virtual bool reads_dense_kernels() const { return false; }
  /// This, where it is J of one problem, else null.
  [[nodiscard]] virtual Objective* single_task() { return nullptr; }

 protected:
  WeightObjective() = default;
};

}  // namespace kernmix
