#include "kernmix/train.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "base/text.hpp"
#include "command.hpp"
#include "data/column_places.hpp"
#include "json_run.hpp"
#include "kernmix/error.hpp"
#include "kernmix/study.hpp"
#include "model/solving/stopwatch.hpp"
#include "options.hpp"
#include "run_facts.hpp"
#include "tasks.hpp"
#include "trace.hpp"
#include "train_options.hpp"
#include "train_summary.hpp"
#include "training_data.hpp"

namespace kernmix::cli {
namespace {

const HelpText kTrainHelp = {
    "train", "Train a certified model on weighted kernels and write it as one model file.",
    "DATA... --label COL -o MODEL.kmx [OPTIONS]",
    "  kernmix train train.csv --label y -o model.kmx\n"
    "  kernmix train train.csv --label y --view 'size=area,radius' --view 'shape=sym*' \\\n"
    "      --kernel 'rbf(width=median*2^-1..2^2) on *' --kernel 'poly(degree=1..3) on all, each' "
    "\\\n"
    "      --regularizer lp:p=1.33 -C 10 --json run.json -o model.kmx\n"
    "  kernmix train prices.csv --label price --loss squared -C 10 -o model.kmx\n"
    "  kernmix train labels.csv --label y --gram kernels.npy -o model.kmx\n"
    "  kernmix train flares.csv --targets c,m,x --loss squared -o model.kmx\n"
    "  kernmix train digits.csv --label digit --sharing minimax -C 10 -o model.kmx\n"
    "  kernmix train genes.csv methylation.csv --id patient --label outcome -o model.kmx\n",
    "The loss determines the kind of model: classification, regression, or novelty detection, "
    "which\n"
    "needs no labels. Losses, regularizers, solvers and kernels: kernmix list. The model stores a\n"
    "certificate: the largest possible distance of its objective from the optimum.\n"
    "Exit codes: 0 done, 1 internal error, 2 usage, 3 data, 4 no result because of memory, disk,\n"
    "permission to write or time, 5 stopped before the tolerance was reached (the best certified\n"
    "answer was written)."};

void check_arguments(const TrainArguments& a) {
  const bool matrices_suffice = loss_target(options_of(a.settings).loss) == Target::none &&
                                a.data.grams.size() + a.data.distances.size() > 0;
  require_files(!a.data.files.empty() || matrices_suffice);
  require(!a.output.empty(), "-o", "name the model file to write");
  if (a.output == "-") throw ParameterError("-o: a model needs a file name, '-' is not one");
}

/// A training run after reading its data.
struct Session {
  const TrainArguments& arguments;
  const Dataset& data;
  const Context& context;
  ProgressLine& progress;
  const std::vector<std::string>& log;
  const Stopwatch& clock;
  double read_seconds = 0.0;

  /// Saves the model.
  [[nodiscard]] RunFacts finish(const Model& model) const {
    save_model(model, arguments.output);
    progress.erase();
    RunFacts facts = run_facts(arguments, data, model, model_checksum(arguments.output));
    facts.read_seconds = read_seconds;
    facts.total_seconds = clock.seconds();
    facts.log = log;
    return facts;
  }
};

Status train_and_write(const Session& session, TrainOptions options) {
  const TrainArguments& a = session.arguments;
  complete_options(session.data, options);
  if (!a.common.json.empty()) options.similar_kernels = similar_kernels_shown;
  const TaskScheme scheme = training_scheme(session.data.table, options);
  if (scheme == TaskScheme::single && !a.trace.empty()) refuse_trace_of_one();
  Json trace = Json::array();
  Dataset held_out;
  if (!a.trace.empty()) {
    held_out = read_held_out(a, session.data, options.missing, session.context);
    options.trace = [&](const TrainingSnapshot& moment) {
      trace.push_back(trace_row(moment, held_out, session.context));
    };
  }
  const TrainResult result = train(session.data, options, session.context);
  const RunFacts facts = session.finish(result.model);
  if (!a.common.json.empty()) {
    Json run = run_json(result, options, session.data, session.context, facts);
    if (options.trace) run["trace"] = std::move(trace);
    write_text(a.common.json, json_text(run));
  }
  if (!a.common.quiet) write_message(train_summary(result, session.data, facts));
  return result.status;
}

int run_train(const TrainArguments& a) {
  const Stopwatch clock;
  check_arguments(a);
  TrainOptions options = train_options(a);
  ProgressLine progress(!a.common.quiet);
  std::vector<std::string> log;
  const Context context = make_context(a.common, progress, log);
  FoldArguments groups;
  groups.groups = a.groups;
  const Dataset data = read_training_data(a, context, options, groups);
  const Session session{a, data, context, progress, log, clock, clock.seconds()};
  return train_and_write(session, options) == Status::converged ? kDone : kStoppedEarly;
}

}  // namespace

Command make_train(CLI::App& root) {
  const auto arguments = std::make_shared<TrainArguments>();
  CLI::App& app = add_command(root, kTrainHelp);
  add_data_options(app, arguments->data, kTrainingLabel);
  add_cell_options(app, arguments->data);
  add_train_options(app, *arguments);
  add_common_options(app, arguments->common, kAnswersSoFar);
  return {&app, &arguments->common.config, [arguments] { return run_train(*arguments); }};
}

}  // namespace kernmix::cli
