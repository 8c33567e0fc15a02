#include <fmt/format.h>

#include <exception>
#include <memory>

#include "auto_json.hpp"
#include "automatic/result_folder.hpp"
#include "command.hpp"
#include "command_files.hpp"
#include "fold_options.hpp"
#include "kernmix/error.hpp"
#include "kernmix/kernel.hpp"
#include "kernmix/study.hpp"
#include "layout.hpp"
#include "model/file/container.hpp"
#include "model/settings/number_text.hpp"
#include "model/solving/stopwatch.hpp"
#include "run_facts.hpp"
#include "train_summary.hpp"
#include "training_data.hpp"
#include "tune/findings.hpp"
#include "views_text.hpp"

namespace kernmix::cli {
namespace {

const HelpText kAutoHelp = {
    "auto",
    "Select kernels, regularizer and C, train a model, and estimate its performance on new "
    "samples.",
    "DATA... --label COL -o FOLDER [OPTIONS]",
    "  kernmix auto train.csv --label y -o result\n"
    "  kernmix auto genes.csv methylation.csv --id patient --label outcome -o result\n"
    "  kernmix auto visits.csv --label outcome --groups patient --score auc -o result\n",
    "FOLDER receives model.kmx for kernmix predict, report.html to read, and run.json, tune.json "
    "and\n"
    "held_out.json with the numbers; the files of an earlier run are replaced together. For other\n"
    "candidates use kernmix tune."};

void check_arguments(const TuneArguments& a, const std::string& folder) {
  require_data(a.train.data);
  require(!folder.empty(), "-o", "name the folder for model and report");
  check_fold_options(a.folds);
  if (!a.score.empty()) (void)score_rule(a.score);
  TrainArguments train = a.train;
  if (!train.settings.contains("loss") && !train.data.targets.empty()) {
    train.settings["loss"] = {"squared"};
  }
  (void)train_options(train);
}

/// Checks that no file of the folder is an input or the file of another option.
void check_folder(const ResultFiles& folder, CommandFiles files) {
  for (const std::string& file : folder.all()) files.outputs.push_back({"-o", file});
  check_names(files.outputs, files.inputs);
}

/// One run of the command.
class Automatic {
 public:
  Automatic(TuneArguments arguments, const std::string& folder, CommandFiles files)
      : a_(std::move(arguments)), files_(folder), folder_(folder) {
    check_folder(files_, std::move(files));
    a_.train.output = files_.model;
  }

  int run();

 private:
  void read(const Context& context);
  [[nodiscard]] AutoOptions asked() const;
  [[nodiscard]] AutoFacts facts(const Model& model) const;
  /// Adds the files of a study. \returns its documents
  [[nodiscard]] AutoJson fill_folder(const AutoResult& study, const Context& context);

  TuneArguments a_;
  ResultFiles files_;
  ResultFolder folder_;
  std::string checksum_;  ///< of the model
  Stopwatch clock_;
  double read_seconds_ = 0.0;
  std::vector<std::string> log_;
  TrainOptions options_;
  Dataset data_;
  std::string text_;  ///< below the answer
};

void Automatic::read(const Context& context) {
  const bool guessed = !a_.train.settings.contains("loss");
  options_ = options_of(a_.train.settings);
  data_ = read_training_data(a_.train, context, options_, a_.folds);
  read_seconds_ = clock_.seconds();
  if (guessed) a_.train.settings["loss"] = {loss_for(data_.table)};
  const TrainOptions of_samples = std::move(options_);
  options_ = train_options(a_.train);
  check_inlier(a_.train, options_);
  copy_of_samples(of_samples, options_);
  complete_options(data_, options_);
  text_ = fmt::format("Details:\n\nviews {}\nloss {}{}\n", views_text(data_),
                      loss_text(options_.loss), guessed ? ", chosen from the labels" : "");
  (void)fold_rule(a_.folds, {}, data_,
                  context);  // rejects folds beyond the memory budget, naming the option
}

AutoOptions Automatic::asked() const {
  return {.train = options_,
          .loss_by_labels = false,
          .score = a_.score,
          .folds = whole_number("--folds", a_.folds.folds, 2),
          .group_column = a_.folds.groups};
}

AutoFacts Automatic::facts(const Model& model) const {
  AutoFacts facts{run_facts(a_.train, data_, model, checksum_), input_files(a_.train.data),
                  a_.train.data.files};
  facts.run.read_seconds = read_seconds_;
  facts.run.total_seconds = clock_.seconds();
  facts.run.log = log_;
  return facts;
}

AutoJson Automatic::fill_folder(const AutoResult& study, const Context& context) {
  const std::string model = encode_model(study.trained.model);
  checksum_ = checksum_text(model);
  folder_.add(files_.model, model);
  AutoJson documents = auto_json(study, data_, context, facts(study.trained.model));
  folder_.add(files_.run, json_text(documents.run));
  folder_.add(files_.tune, json_text(documents.search));
  if (documents.held_out) folder_.add(files_.held_out, json_text(*documents.held_out));
  folder_.add(files_.report, documents.page());
  return documents;
}

int Automatic::run() {
  ProgressLine progress(!a_.train.common.quiet);
  const Context context = make_context(a_.train.common, progress, log_);
  read(context);
  const AutoResult study = auto_train(data_, asked(), context);
  AutoJson documents;
  try {
    documents = fill_folder(study, context);
  } catch (const std::exception&) {
    folder_.write();  // the model is kept even if a document fails
    throw;
  }
  folder_.write();
  progress.erase();
  const ComparedMethod method{"auto", study.candidates};
  Tuned tuned{method,       study.folds,  study.score,    Choice::best,
              study.search, study.nested, study.expected, study.remarks};
  tuned.says_answer = true;
  if (study.subsample) tuned.estimated_by = estimate_text(study);
  text_ += tune_text(tuned);
  if (documents.held_out) {
    text_ += "\nHeld-out predictions of each sample:\n" + documents.held_out_text;
  }
  text_ += fmt::format(
      "\nChosen: {} ({}, relative gap {:.1e})\n{}: for kernmix predict\n{}: the report\n",
      study.winner().name, status_name(study.trained.status),
      study.trained.model.certificate.relative_gap(), files_.model, files_.report);
  std::string answer;
  for (const std::string& sentence : study.answer) answer += wrapped(sentence, 100) + "\n";
  emit(answer + "\n" + text_, documents.search, a_.train.common.json);
  if (!a_.train.common.quiet) write_message(warning_lines(study.warnings));
  return study.complete() ? kDone : kStoppedEarly;
}

/// A setting with its own help; settings that auto selects have no default.
Field with_help(const std::string& name, const std::string& help) {
  Field field = field_named(name);
  field.help = help;
  if (name == "loss") field.texts = [](const TrainOptions&) { return std::vector<std::string>(); };
  return field;
}

void add_choices(CLI::App& app, TuneArguments& a) {
  add_kernel_choice(app, a.train);
  for (const char* const name : {"missing", "absent", "landmarks"}) {
    const Field& field = field_named(name);
    OptionGroup(app, field.heading).setting(field, a.train.settings);
  }
  OptionGroup problem(app, "Problem");
  problem.setting(
      with_help("loss", "Loss [default: hinge for classes and labels, squared for numbers]"),
      a.train.settings);
  add_weighting(app, a.train);
  problem.setting(
      with_help("calibration",
                "Fit probabilities to held-out decision values: platt, isotonic, beta or none"),
      a.train.settings);
  OptionGroup search(app, "Search");
  search.value(
      "--score", a.score, "METRIC",
      "Metric that compares candidates [default: accuracy of classes, r2 or mean_r2 of numbers, "
      "macro_average_precision of labels]");
  search.value(
      "--folds", a.folds.folds, "K",
      "Number of folds of the search, and of the outer cross-validation that estimates the "
      "performance: it leaves out one fold at a time and repeats the selection on the others");
  search.value("--groups", a.folds.groups, "COL",
               "Group column: samples of a group (a patient, a batch) stay in the same fold");
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
  add_cell_options(app, arguments->tune.train.data);
  add_inlier_option(app, arguments->tune.train.data);
  add_choices(app, arguments->tune);
  OptionGroup(app, "Results")
      .value("-o,--output", arguments->folder, {"FOLDER", FileUse::writes_folder},
             "Folder for the model, the numbers and the report; created if missing (required)");
  add_common_options(app, arguments->tune.train.common, kAnswersSoFar);
  return {&app, &arguments->tune.train.common.config, [arguments, &app] {
            check_arguments(arguments->tune, arguments->folder);
            return Automatic(arguments->tune, arguments->folder, files_of(app)).run();
          }};
}

}  // namespace kernmix::cli
