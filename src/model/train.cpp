#include "kernmix/train.hpp"

#include "base/blas_threads.hpp"
#include "kernmix/bank/plan.hpp"
#include "model/make_model.hpp"
#include "model/solving/solve_tasks.hpp"
#include "model/solving/stopwatch.hpp"
#include "model/thresholds/thresholds.hpp"
#include "model/warnings/warnings.hpp"

namespace kernmix {
namespace {

/// Of a run that are kept for its trace.
constexpr Index kMostMoments = 50;

void trace_moments(const TrainedTasks& trained, const TasksRun& run, const TrainResult& result,
                   const Context& context) {
  const auto& trace = trained.options.trace;
  for (const MomentAnswer& moment : run.moments()) {
    trace({moment.seconds, moment.svm_solves, make_model(trained, moment.answer, context)});
  }
  if (trace) trace({result.seconds.solve, result.svm_solves, result.model});
}

}  // namespace

TrainResult train(const Dataset& data, const TrainOptions& options, const Context& context) {
  const Stopwatch clock;
  const SerialBlas serial_blas;
  TaskSet set = make_task_set(data, options);
  TrainingKernels kernels =
      training_kernels(data.table, data.matrices, set.kernels, options.scaling, context);
  kernels.assume_psd = options.assume_psd;
  const std::vector<KernelShape> shapes = kernel_shapes(kernels, context);
  fit_to_loss(kernels, set.loss);
  TrainResult result;
  result.plan.data_bytes = data_bytes(data, kernels);
  result.seconds.kernels = clock.seconds();
  SolverOptions solving = options.solver;
  if (options.trace) solving.moments = kMostMoments;
  const TasksRun run(set, kernels, solving, context, result);
  const TrainedTasks trained{data, options, set, kernels, result.status};
  result.model = make_model(trained, run.answer(), context);
  result.warnings = training_warnings(set, kernels, shapes, result.model, context);
  if (options.threshold_folds > 0) choose_thresholds(data, options, context, result.model);
  result.seconds.total = clock.seconds();
  trace_moments(trained, run, result, context);
  return result;
}

}  // namespace kernmix
