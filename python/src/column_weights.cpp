#include "column_weights.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "kernmix/classical/gmkl.hpp"
#include "kernmix/loss.hpp"
#include "run.hpp"

namespace kernmix::python {
namespace {

Matrix copy_of(const ConstMatrix& X) {
  Matrix copy(X.rows, X.cols);
  for (Index i = 0; i < X.rows; ++i) {
    for (Index j = 0; j < X.cols; ++j) copy(i, j) = X(i, j);
  }
  return copy;
}

nb::dict weights_record(GmklSolution solution) {
  nb::dict record;
  record["weights"] = array_of(std::move(solution.d));
  record["stationarity"] = solution.stationarity;
  record["inner_gap"] = solution.inner_gap;
  record["objective"] = solution.objective;
  record["iterations"] = solution.objectives.size() - 1;
  record["status"] = status_name(solution.status);
  return record;
}

nb::dict column_weights(const MatrixArgument& X, const VectorArgument& y,
                        const std::vector<Index>& view, const std::string& loss, double C,
                        double penalty, double tolerance, Index max_iterations, int threads,
                        std::optional<std::size_t> memory, std::optional<double> time_limit) {
  const Vector targets = vector_of(y);
  GmklSolution solution;
  Run run({.threads = threads, .memory = memory, .time_limit = time_limit});
  run([&] {
    const auto kernel = column_product(copy_of(borrowed(X, "X")), view);
    const GmklProblem problem{*kernel, LinearPenalty{penalty}, parse_loss(loss), targets,
                              Vector(targets.size(), C)};
    solution = solve_gmkl(problem, {tolerance, max_iterations, {}}, run.context());
  });
  return weights_record(std::move(solution));
}

}  // namespace

void bind_column_weights(nb::module_& module) {
  module.def("column_weights", column_weights, nb::arg("X"), nb::arg("y"), nb::arg("view"),
             nb::arg("loss"), nb::arg("C"), nb::arg("penalty"), nb::arg("tolerance"),
             nb::arg("max_iterations"), nb::arg("threads") = 1, nb::arg("memory") = nb::none(),
             nb::arg("time_limit") = nb::none(),
             "Weights d of columns (or views) in prod_m exp(-d_m D_m), by solve_gmkl: a local "
             "optimum.");
}

}  // namespace kernmix::python
