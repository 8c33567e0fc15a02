#include "kernmix/model/train.hpp"

#include <algorithm>
#include <cmath>

#include "base/blas_threads.hpp"
#include "kernmix/bank/plan.hpp"
#include "model/certified_solve.hpp"
#include "model/model_basis.hpp"
#include "model/stopwatch.hpp"
#include "model/targets.hpp"
#include "model/warnings/warnings.hpp"

namespace kernmix {
namespace {

WeightedKernels weighted_kernels(const CertifiedAnswer& answer) {
  WeightedKernels result{answer.solution.d, answer.exact.Q.values};
  for (std::size_t m = 0; m < result.norms.size(); ++m) {
    result.norms[m] = result.weights[m] * std::sqrt(result.norms[m]);
  }
  return result;
}

Model make_model(const Dataset& data, const TrainOptions& options, const Task& task,
                 const TrainingKernels& kernels, const CertifiedAnswer& answer,
                 const Context& context) {
  Model model;
  model.target = loss_target(task.loss);
  model.classes = task.classes;
  model.settings = settings_of(task, options, task.class_weights, answer.solution.solver,
                               answer.solution.status, context);
  model.certificate = {answer.exact.certificate, answer.exact.certificate.only_bias()};
  model.bias = model.certificate.bias;
  const WeightedKernels weighted = weighted_kernels(answer);
  const bool all =
      needs_all_samples(task, dual_set(task.loss, task.bias, task.y, task.C), weighted.weights);
  const Vector& a = answer.solution.a.front();
  const std::vector<Vector>& witness = answer.solution.witness;
  for (std::size_t row = 0; row < task.y.size(); ++row) {
    const double in_proof = witness.empty() ? 0.0 : witness.front()[row];
    if (!all && a[row] == 0.0 && in_proof == 0.0) continue;
    model.support.push_back(static_cast<Index>(row));
    model.coefficients.push_back(a[row]);
    if (!witness.empty()) model.proof.push_back(in_proof);
  }
  fill_basis(data, options, kernels, weighted, as_column(task.y), model);
  return model;
}

std::vector<Warning> warnings_of(const TrainingKernels& kernels,
                                 const std::vector<KernelShape>& shapes, const Task& task,
                                 const TrainResult& result, const Context& context) {
  FittedTask fitted{
      .d = result.solution.d, .a = result.solution.a.front(), .bias = result.model.bias};
  if (result.model.target != Target::none) {
    fitted.y = task.y;
    fitted.exactness = result.model.target == Target::classes ? exact_classes : exact_numbers;
  }
  return training_warnings(kernels, shapes, {fitted}, context);
}

}  // namespace

TrainResult train(const Dataset& data, const TrainOptions& options, const Context& context) {
  const Stopwatch clock;
  const SerialBlas serial_blas;
  Task task = make_task(data, options);
  TrainingKernels kernels =
      training_kernels(data.table, data.matrices, task.kernels, options.scaling, context);
  kernels.assume_psd = options.assume_psd;
  const std::vector<KernelShape> shapes = kernel_shapes(kernels, context);
  fit_to_loss(kernels, task.loss);
  TrainResult result;
  result.plan.data_bytes = data_bytes(data, kernels);
  result.seconds.kernels = clock.seconds();
  const auto memory = [&](const MemoryPlan& plan) {
    return expected_solver_memory(task.loss, task.regularizer, length(task.y), plan, context);
  };
  KernelStore store(kernels.sources, kernel_names(task.kernels), memory,
                    {options.solver.tolerance, std::ranges::max(task.C), options.assume_psd},
                    context, result.plan, result.seconds);
  CertifiedAnswer answer = solve_certified(task, store, options.solver);
  result.model = make_model(data, options, task, kernels, answer, context);
  result.solution = std::move(answer.solution);
  result.warnings = warnings_of(kernels, shapes, task, result, context);
  result.seconds.total = clock.seconds();
  return result;
}

}  // namespace kernmix
