#include <fmt/format.h>

#include <exception>
#include <memory>

#include "automatic/answer.hpp"
#include "automatic/columns.hpp"
#include "automatic/result_folder.hpp"
#include "automatic/study.hpp"
#include "command.hpp"
#include "expected.hpp"
#include "findings.hpp"
#include "fold_options.hpp"
#include "json_evaluation.hpp"
#include "json_run.hpp"
#include "kernmix/error.hpp"
#include "kernmix/kernel.hpp"
#include "layout.hpp"
#include "model/file/container.hpp"
#include "model/pipeline.hpp"
#include "model/settings/number_text.hpp"
#include "model/solving/stopwatch.hpp"
#include "report/report.hpp"
#include "run_facts.hpp"
#include "train_summary.hpp"
#include "training_data.hpp"
#include "tune/findings.hpp"
#include "tune/nested_folds.hpp"

namespace kernmix::cli {
namespace {

/// Below, pairs of folds leave less than half of the samples to train on.
constexpr Index kFewestForPairs = 5;

const HelpText kAutoHelp = {
    "auto", "Do it all: choose regularizer and C, train, say what to expect, and report.",
    "DATA... --label COL -o FOLDER [OPTIONS]",
    "  kernmix auto train.csv --label y -o result\n"
    "  kernmix auto genes.csv methylation.csv --id patient --label outcome -o result\n"
    "  kernmix auto visits.csv --label outcome --groups patient --score auc -o result\n",
    "FOLDER gets model.kmx for kernmix predict, and report.html for you; run.json, tune.json and\n"
    "held_out.json hold the numbers. They replace those of an earlier run together. What is chosen "
    "from and how: docs/how-to/auto.md. More to\n"
    "choose from: kernmix tune."};

void check_arguments(const TuneArguments& a, const std::string& folder) {
  require(!a.train.data.files.empty() || !a.train.data.grams.empty(), "DATA",
          "name at least one file with samples and their labels");
  require(!folder.empty(), "-o", "name the folder for model and report");
  check_fold_options(a.folds);
  if (!a.score.empty()) (void)score_rule(a.score);
  TrainArguments train = a.train;
  if (!train.settings.contains("loss") && !train.data.targets.empty()) {
    train.settings["loss"] = {"squared"};
  }
  (void)train_options(train);
}

/// No file of the folder is an input, nor the one of --json.
void check_files(const TuneArguments& a, const ResultFiles& files) {
  std::vector<std::string> inputs = input_files(a.train.data);
  if (!a.train.common.config.empty()) inputs.push_back(a.train.common.config);
  const OutputFile json{"--json", a.train.common.json};
  check_outputs({json}, inputs);
  std::vector<OutputFile> outputs{json};
  for (const std::string& file : files.all()) outputs.push_back({"-o", file});
  check_names(outputs, inputs);
}

/// One run of the command.
class Automatic {
 public:
  Automatic(TuneArguments arguments, const std::string& folder)
      : a_(std::move(arguments)), files_(folder), folder_(folder) {
    check_files(a_, files_);
    a_.train.output = files_.model;
  }

  int run();

 private:
  void read(const Context& context);
  /// Answer, text and files of a study, and the document of --json.
  Json describe(const AutomaticStudy& study, const Context& context);
  void add_results(const AutomaticStudy& study, const TrainOptions& chosen, const Json& tune,
                   const Context& context);

  TuneArguments a_;
  ResultFiles files_;
  ResultFolder folder_;
  std::string checksum_;  ///< of the model
  Stopwatch clock_;
  double read_seconds_ = 0.0;
  std::vector<std::string> log_;
  TrainOptions options_;
  Dataset data_;
  ComparedMethod method_;
  ChosenFolds folds_;
  std::vector<NestedFold> nested_;
  ScoreRule score_;
  std::vector<std::string> answer_;
  std::string text_;  ///< below the answer
};

void Automatic::read(const Context& context) {
  const auto column = read_fold_column(a_.folds, a_.train.data, context);
  const bool guessed = !a_.train.settings.contains("loss");
  if (!guessed) options_.loss = a_.train.settings["loss"].front();
  data_ = read_training_data(a_.train, context, options_, a_.folds);
  read_seconds_ = clock_.seconds();
  if (guessed) a_.train.settings["loss"] = {loss_for(data_.table)};
  const TrainOptions of_samples = std::move(options_);
  options_ = train_options(a_.train);
  check_inlier(a_.train, options_);
  copy_of_samples(of_samples, options_);
  complete_options(data_, options_);
  text_ = fmt::format("Details:\n\nloss {}{}\n", loss_text(options_.loss),
                      guessed ? ", by the kind of labels" : "");
  method_ = {"auto", automatic_candidates(data_, options_)};
  folds_ = choose_folds(a_.folds, column, data_, options_, context);
  const Index folds = whole_number("--folds", a_.folds.folds, 2);
  nested_ = folds < kFewestForPairs ? nested_folds(folds, a_.folds, data_, options_, context)
                                    : nested_in_pairs(folds_.folds);
  score_ = score_rule(a_.score.empty() ? default_score(data_.table, options_) : a_.score);
}

void Automatic::add_results(const AutomaticStudy& study, const TrainOptions& chosen,
                            const Json& tune, const Context& context) {
  RunFacts facts = run_facts(a_.train, data_, study.trained.model, checksum_);
  facts.read_seconds = read_seconds_;
  facts.total_seconds = clock_.seconds();
  facts.log = log_;
  const Json run = run_json(study.trained, chosen, data_, context, facts);
  folder_.add(files_.run, json_text(run));
  folder_.add(files_.tune, json_text(tune));
  std::vector<nlohmann::json> evaluations;
  if (study.expected) {
    const std::vector<Fold> folds = outer_folds(nested_);
    const PooledPrediction all = *study.winners.pool(0, data_, folds);
    const Findings findings = held_out_findings(all, folds, *study.expected);
    Json document = evaluation_json({files_.model, checksum_}, a_.train.data.files, data_.table,
                                    all.learned, findings.document);
    document["held_out"] = fmt::format("nested cross-validation, {} folds", nested_.size());
    document["answer"] = answer_;
    folder_.add(files_.held_out, json_text(document));
    text_ += "\nEach sample predicted by models that never saw it:\n" + findings.text;
    evaluations.emplace_back(document);
  }
  folder_.add(files_.report,
              render_report(nlohmann::json::array({run}), evaluations, {{}, {tune}}));
}

Json Automatic::describe(const AutomaticStudy& study, const Context& context) {
  answer_ = answer_of(study, data_.table, sample_count(data_.table, data_.matrices), score_.name);
  const std::string columns =
      sentence_of_columns(column_shares(study, data_, method_.candidates, nested_, context));
  if (!columns.empty()) answer_.push_back(columns);
  Tuned tuned{method_,      folds_,       score_,         Choice::best,
              study.search, study.nested, study.expected, {}};
  tuned.says_answer = true;
  tuned.remarks = tune_remarks(tuned, a_);
  if (!study.expected) {
    tuned.remarks.push_back(
        "There is no estimate of test performance: time ran out, or some fold lacks a class; allow "
        "more time or ask for fewer --folds.");
  }
  text_ += tune_text(tuned);
  const Candidate& chosen = tuned.candidate(*study.search.chosen);
  Json tune = tune_json(a_, tuned);
  add_data_facts(data_.table, tune);
  add_results(study, chosen.options, tune, context);
  text_ += fmt::format(
      "\nChosen: {} ({}, relative gap {:.1e})\n{}: for kernmix predict\n{}: to look at\n",
      chosen.name, status_name(study.trained.status),
      study.trained.model.certificate.relative_gap(), files_.model, files_.report);
  return tune;
}

int Automatic::run() {
  ProgressLine progress(!a_.train.common.quiet);
  const Context context = make_context(a_.train.common, progress, log_);
  read(context);
  const AutomaticStudy study =
      study_automatically(data_, method_.candidates, folds_.folds, nested_, options_.groups, score_,
                          options_.solver.tolerance, context);
  const std::string model = encode_model(study.trained.model);
  checksum_ = checksum_text(model);
  folder_.add(files_.model, model);
  Json tune;
  try {
    tune = describe(study, context);
  } catch (const std::exception&) {
    folder_.write();  // the model stays, whatever is wrong with what is said of it
    throw;
  }
  folder_.write();
  progress.erase();
  std::string answer;
  for (const std::string& sentence : answer_) answer += wrapped(sentence, 100) + "\n";
  emit(answer + "\n" + text_, tune, a_.train.common.json);
  std::vector<Warning> warnings = study.trained.warnings;
  if (study.expected) {
    for (Warning& one : expected_warnings(*study.expected, "")) warnings.push_back(std::move(one));
  }
  if (!a_.train.common.quiet) write_message(warning_lines(warnings));
  const bool complete =
      study.search.complete && study.nested.complete && study.trained.status == Status::converged;
  return complete ? kDone : kStoppedEarly;
}

/// A setting that says more here than elsewhere; what auto chooses has no default.
Field with_help(const std::string& name, const std::string& help) {
  Field field = field_named(name);
  field.help = help;
  if (name == "loss") field.texts = [](const TrainOptions&) { return std::vector<std::string>(); };
  return field;
}

void add_choices(CLI::App& app, TuneArguments& a) {
  add_kernel_choice(app, a.train);
  OptionGroup problem(app, "Problem");
  problem.setting(with_help("loss",
                            "What is learned [default: hinge for classes and labels, squared for "
                            "numbers]"),
                  a.train.settings);
  add_weighting(app, a.train);
  problem.setting(with_help("calibration",
                            "Fit probabilities to decision values: platt, isotonic, beta or none"),
                  a.train.settings);
  OptionGroup search(app, "Search");
  search.value("--score", a.score, "METRIC",
               "What is best [default: accuracy, r2, mean_r2, macro_average_precision of labels]");
  search.value(
      "--folds", a.folds.folds, "K",
      "Folds to choose by, and to see what to expect: all is chosen anew without each of them");
  search.value("--groups", a.folds.groups, "COL",
               "Column with groups (patients, batches) whose samples are never apart");
}

}  // namespace

Command make_auto(CLI::App& root) {
  struct Arguments {
    TuneArguments tune;
    std::string folder;
  };
  const auto arguments = std::make_shared<Arguments>();
  CLI::App& app = add_command(root, kAutoHelp);
  add_data_options(app, arguments->tune.train.data, "Column with the labels: classes, or numbers");
  add_inlier_option(app, arguments->tune.train.data);
  add_choices(app, arguments->tune);
  OptionGroup(app, "Results")
      .value("-o,--output", arguments->folder, "FOLDER",
             "Folder for model, numbers and report; made where there is none (required)");
  add_common_options(app, arguments->tune.train.common);
  return {&app, &arguments->tune.train.common.config, [arguments] {
            check_arguments(arguments->tune, arguments->folder);
            return Automatic(arguments->tune, arguments->folder).run();
          }};
}

}  // namespace kernmix::cli
