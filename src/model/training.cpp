#include "kernmix/training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>

#include "base/blas_threads.hpp"
#include "base/samples.hpp"
#include "data/file.hpp"
#include "data/names/row_ids.hpp"
#include "kernmix/bank/plan.hpp"
#include "kernmix/error.hpp"
#include "kernmix/fitted_kernels.hpp"
#include "model/cross_fitting/calibrate.hpp"
#include "model/fits/train_again.hpp"
#include "model/kernel_choice.hpp"
#include "model/kernels/fresh_kernels.hpp"
#include "model/kernels/kernel_cache.hpp"
#include "model/landmarks/exact_bounds.hpp"
#include "model/make_model.hpp"
#include "model/prediction_kernels.hpp"
#include "model/product/product.hpp"
#include "model/solving/solve_tasks.hpp"
#include "model/solving/stopwatch.hpp"
#include "model/solving/task_memory.hpp"
#include "model/thresholds/folds.hpp"
#include "model/thresholds/thresholds.hpp"
#include "model/warm_starts.hpp"
#include "model/warnings/warnings.hpp"
#include "problem/without_end.hpp"
#include "solve/unfinished.hpp"

namespace kernmix {
namespace {

/// Largest number of snapshots of a run for its trace.
constexpr Index kMostMoments = 50;

void trace_snapshots(const TrainedTasks& trained, const std::vector<SnapshotAnswer>& moments,
                     const TrainResult& result, const Context& context) {
  const auto& trace = trained.options.trace;
  for (const SnapshotAnswer& moment : moments) {
    trace({moment.seconds, moment.svm_solves, make_model(trained, moment.answer, context)});
  }
  if (trace) trace({result.seconds.solve, result.svm_solves, result.model});
}

/// Thresholds and calibration, which train further models. False if time runs out.
/// \param described  kernels in place of those of the options, or null
bool finish_outputs(const TrainedTasks& trained, const DescribedKernels* described,
                    const Context& context, TrainResult& result) {
  const Dataset& data = trained.data;
  const TrainOptions& options = trained.options;
  const bool thresholds = options.threshold_folds == 0 ||
                          choose_thresholds(data, options, described, context, result.model);
  const bool calibrated =
      options.calibration == CalibrationMethod::none ||
      calibrate(data, options, described, context, result.model, result.warnings);
  return thresholds && calibrated;
}

TrainOptions options_at(const TrainOptions& options, const std::vector<Index>& samples) {
  TrainOptions own = options;
  own.sample_weights = entries_at(options.sample_weights, samples);
  own.groups = entries_at(options.groups, samples);
  return own;
}

/// Trains without the samples of weight 0.
TrainResult train_on(const Dataset& data, const TrainOptions& options,
                     const std::vector<Index>& kept, const Context& context) {
  TrainOptions all_kept = options;
  std::ranges::replace(all_kept.sample_weights, 0.0, 1.0);
  (void)check_samples(data, all_kept);
  if (kept.empty()) throw DataError("every sample has the weight 0");
  Dataset part = only_samples(data, kept);
  name_by_rows(part.table, kept);
  return train(part, options_at(options, kept), context);
}

/// Without the samples that lack a view, as TrainOptions::absent asks for.
TrainResult train_complete(const Dataset& data, const TrainOptions& options,
                           const std::vector<Index>& kept, const Context& context) {
  Dataset part = complete_part(data, kept);
  name_by_rows(part.table, kept);
  return train(part, options_at(options, kept), context);
}

/// Answers may come from files. \throws ParameterError for other numbers of kernels or samples
void check_starts(const std::vector<StartingPoint>& answer, const TaskSet& set,
                  std::size_t kernels) {
  for (Index part = 0; part < set.parts(); ++part) {
    const StartingPoint& start = answer[to_size(part)];
    const std::vector<Index> rows = set.rows(part);
    const std::size_t samples = rows.empty() ? to_size(set.targets.samples()) : rows.size();
    const bool fits = (start.norms.empty() || start.norms.size() == kernels) &&
                      (start.a.empty() || start.a.size() == samples);
    if (fits) continue;
    throw ParameterError(
        fmt::format("recall: an answer of {} kernels and {} samples to a problem of {} and {}",
                    start.norms.size(), start.a.size(), kernels, samples));
  }
}

/// The seconds that are left before the time limit; infinite without one.
double seconds_left(const Context& context) {
  if (!context.deadline) return std::numeric_limits<double>::infinity();
  return std::chrono::duration<double>(*context.deadline - std::chrono::steady_clock::now())
      .count();
}

/// Bounds on the kernels as written, if they are asked for and time suffices.
void add_exact_bounds(const TrainedTasks& trained, const TasksAnswer& answer,
                      const Context& context, TrainResult& result) {
  const std::vector<KernelSourcePtr>& exact = trained.kernels.exact;
  if (!trained.options.exact_certificate || exact.empty()) return;
  const Stopwatch clock;
  const double needed = exact_bounds_seconds(trained.set, answer.a, exact, context);
  if (needed > seconds_left(context) || context.should_stop()) {
    result.warnings.push_back(
        {"exact-certificate-left-out",
         fmt::format("The bounds on the kernels as written take about {:.3g} s, more than the time "
                     "limit leaves (--time-limit): the model has bounds on the kernels of its "
                     "landmarks only.",
                     needed),
         {}});
    return;
  }
  context.tell(fmt::format("bounds on the kernels as written take about {:.3g} s", needed));
  result.model.exact_certificate =
      exact_bounds(trained.set, {answer.weights, answer.gamma, answer.a, answer.witness}, exact,
                   result.model.certificate, without_end(context));
  result.seconds.certify += clock.seconds();
}

/// What is said of kernels and model, and bounds on the kernels as written.
void add_findings(const TrainedTasks& trained, const std::vector<KernelShape>& shapes,
                  const TasksAnswer& answer, const Context& context, TrainResult& result) {
  result.warnings =
      training_warnings(trained.set, trained.kernels, shapes, answer, result.model, context);
  if (trained.options.kernels.empty()) {  // nobody chose the default kernels, nor can mend them
    std::erase_if(result.warnings,
                  [](const Warning& w) { return w.code == "kernel-near-identity"; });
  }
  add_exact_bounds(trained, answer, context, result);
  if (!trained.kernels.landmark_note.empty()) {
    result.warnings.push_back({"landmarks", trained.kernels.landmark_note, {}});
  }
}

void add_similarity(const TrainedTasks& trained, const Context& context, TrainResult& result) {
  const Index count = trained.options.similar_kernels;
  if (count <= 0 || context.should_stop()) return;
  result.similarity =
      kernel_similarity(trained.kernels.sources, kernel_weights(result.model), count, context);
}

/// The outputs of the model, and the status if time runs out on them.
void finish_model(const TrainedTasks& trained, const DescribedKernels* described,
                  const Context& context, TrainResult& result) {
  if (!finish_outputs(trained, described, context, result)) {
    result.status = context.is_cancelled() ? Status::interrupted : Status::time_limit;
  }
  if (trained.for_use && !is_unfinished(result.status)) {
    warn_of_one_class(trained.data, result.model, context, result.warnings);
  }
}

}  // namespace

struct Training::State {
  const Dataset& data;
  bool for_later = true;
  const DescribedKernels* described = nullptr;  ///< in place of those of the options
  std::optional<KernelCache> kept = std::nullopt;
  WarmStarts answers = {};
  std::optional<TrainOptions> answered_on =
      std::nullopt;  ///< options that define the kernels of the answers
  Reuse reuse = {};
  std::optional<FreshKernels> fresh = std::nullopt;

  TrainResult fit(TaskSet set, const TrainOptions& options, const Context& context,
                  Proof proof = Proof::on_exact_kernels);
  double prepare(const TaskSet& set, const TrainOptions& options, const Context& context);
  std::optional<LearnedProduct> product_of(TaskSet& set, const TrainOptions& options,
                                           const Context& context);
  void keep_answers_on(const TrainOptions& asked);
  void count(double kernel_seconds, bool warm);
};

/// Removes answers for other kernels.
void Training::State::keep_answers_on(const TrainOptions& asked) {
  if (answered_on && share_kernels(*answered_on, asked)) return;
  answers.clear();
  answered_on = asked;
}

/// Prepares the kernels unless they are unchanged. \returns the elapsed seconds
double Training::State::prepare(const TaskSet& set, const TrainOptions& options,
                                const Context& context) {
  keep_answers_on(options);
  if (kept && kept->serve(options)) return 0.0;
  fresh.reset();
  kept.reset();
  kept.emplace(data, options, set, context, for_later);
  return kept->seconds();
}

/// Learns the product, if one is requested, which then is the only kernel of `set`. Its kernel
/// belongs to one model: it is neither kept for later models nor served from earlier ones.
std::optional<LearnedProduct> Training::State::product_of(TaskSet& set, const TrainOptions& options,
                                                          const Context& context) {
  if (options.combination == Combination::sum) return std::nullopt;
  fresh.reset();
  kept.reset();
  LearnedProduct learned = learn_product(data, options, set, context);
  set.kernels = {product_kernel(learned.product.factors)};
  return learned;
}

void Training::State::count(double kernel_seconds, bool warm) {
  ++reuse.models;
  reuse.warm_starts += warm ? 1 : 0;
  reuse.kernel_builds += kernel_seconds > 0.0 ? 1 : 0;
  reuse.kernel_seconds += kernel_seconds;
  reuse.saved_seconds += kept->seconds() - kernel_seconds;
}

TrainResult Training::State::fit(TaskSet set, const TrainOptions& options, const Context& context,
                                 Proof proof) {
  const Stopwatch clock;
  const SerialBlas serial_blas;
  TrainResult result;
  const std::optional<LearnedProduct> product = product_of(set, options, context);
  if (product) result.seconds.solve = clock.seconds();
  // The kernel of weights that the time limit left is part of the best answer.
  result.seconds.kernels = prepare(set, options, product ? without_end(context) : context);
  kept->begin_run();
  const TrainingKernels& kernels = kept->kernels();
  if (on_distances(set.loss)) set.loss = with_shift(set.loss, kept->shift());
  result.plan.data_bytes = data_bytes(data, kernels);
  SolverOptions solving = options.solver;
  if (options.trace) solving.moments = kMostMoments;
  const std::vector<StartingPoint> starts = answers.nearest(set, options);
  std::optional<TasksRun> run;
  if (!product) run.emplace(set, *kept, TasksOptions{solving, proof}, starts, context, result);
  const TasksAnswer answer =
      product ? certify_product(set, *kept, *product, options.solver.tolerance, context, result)
              : run->answer();
  kept->end_run();
  const bool for_use = proof == Proof::on_exact_kernels;
  const TrainedTasks trained{data, options, set, kernels, result.status, for_use};
  result.model = make_model(trained, answer, context);
  if (product) result.model.product = product->product;
  if (for_use) add_findings(trained, kept->shapes(), answer, context, result);
  if (!product) add_similarity(trained, context, result);
  finish_model(trained, described, context, result);
  result.seconds.total = clock.seconds();
  if (run) trace_snapshots(trained, run->moments(), result, context);
  if (for_later && !product) {
    answers.add(set, options, starts_after(set, result.model, answer, *kept));
  }
  count(result.seconds.kernels, !starts.empty());
  return result;
}

Training::Training(const Dataset& data) : state_(new State{data}) {}
Training::~Training() = default;
Training::Training(Training&&) noexcept = default;
Training& Training::operator=(Training&&) noexcept = default;

TrainResult Training::fit(const TrainOptions& options, const Context& context) {
  require_memory_of_tasks(state_->data, options, context);
  return state_->fit(make_task_set(state_->data, options), options, context);
}

TrainResult Training::fit_for_score(const TrainOptions& options, const Context& context) {
  require_memory_of_tasks(state_->data, options, context);
  return state_->fit(make_task_set(state_->data, options), options, context,
                     Proof::on_stored_kernels);
}

Prediction Training::predict(const Model& model, const Dataset& data, const Context& context) {
  constexpr std::size_t share = 4;
  constexpr std::size_t most = std::size_t{1} << 30;
  KernelCache& kept = *state_->kept;
  const Index n = sample_count(data.table, data.matrices);
  const std::size_t bytes = FreshKernels::bytes(model.kernels.size(), model.training_samples, n);
  const std::size_t budget = context.memory_bytes;
  if (n == 0 || model.landmarks || bytes > (budget > 0 ? std::min(most, budget / share) : most)) {
    return kernmix::predict(model, data, without_end(context));
  }
  std::optional<FreshKernels>& fresh = state_->fresh;
  if (!fresh || !fresh->are_of(data)) {
    fresh.reset();
    fresh.emplace(kept, model.settings.loss, data, context);
  }
  return predict_with(model, fresh->of(model), n, data.table, without_end(context), false);
}

void Training::forget_answers() { state_->answers.clear(); }

std::vector<StartingPoint> Training::last_answer() const { return state_->answers.last(); }

void Training::recall(const TrainOptions& options, std::vector<StartingPoint> answer) {
  const TaskSet set = make_task_set(state_->data, options);
  if (length(answer) != set.parts()) {
    throw ParameterError(fmt::format("recall: an answer of {} parts to a problem of {}",
                                     answer.size(), set.parts()));
  }
  check_starts(answer, set, expand_kernels(state_->data, options).size());
  state_->keep_answers_on(options);
  state_->answers.add(set, options, std::move(answer));
}

const Reuse& Training::reuse() const { return state_->reuse; }

void check_training(const Dataset& data, const TrainOptions& options) {
  Context context;
  context.memory_bytes = memory_allowed(context);  // a check has no budget of its own
  require_memory_of_tasks(data, options, context);
  (void)make_task_set(data, options);
}

TrainResult train(const Dataset& data, const TrainOptions& options, const Context& context) {
  const std::vector<Index> kept = samples_with_weight(options.sample_weights);
  if (kept.size() < options.sample_weights.size()) {
    return train_on(data, options, kept, context);
  }
  if (options.absent == AbsentRule::drop) {
    const std::vector<Index> complete = samples_with_all_views(data);
    if (length(complete) < sample_count(data.table, data.matrices)) {
      return train_complete(data, options, complete, context);
    }
  }
  require_memory_of_tasks(data, options, context);
  return Training::State{data, false}.fit(make_task_set(data, options), options, context);
}

TrainResult train_again(const Dataset& data, const TrainOptions& options,
                        const DescribedKernels& kernels, const Context& context) {
  require_memory_of_tasks(data, options, context);
  TaskSet set = make_task_set(data, options, &kernels);
  return Training::State{data, false, &kernels}.fit(std::move(set), options, context);
}

}  // namespace kernmix
