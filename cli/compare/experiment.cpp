#include "compare/experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <limits>
#include <set>

#include "base/samples.hpp"
#include "command_files.hpp"
#include "compare/methods.hpp"
#include "compare/table_reader.hpp"
#include "config.hpp"
#include "data/file.hpp"
#include "fold_options.hpp"
#include "kernmix/error.hpp"
#include "model/pipeline.hpp"
#include "model/settings/number_text.hpp"
#include "training_data.hpp"

namespace kernmix::cli {
namespace {

const std::vector<std::string> kExperimentKeys = {"score", "splits",    "test", "inner-folds",
                                                  "seed",  "baselines", "grid"};
const std::vector<std::string> kDataKeys = {"name", "files", "splits", "test"};

/// The tables of the file before parsing.
struct ExperimentFile {
  std::string path;
  toml::table whole;
  toml::table none;
  std::vector<const toml::table*> data;
  std::vector<const toml::table*> methods;

  /// [experiment]; empty if the file has none.
  [[nodiscard]] const toml::table& experiment() const {
    const toml::table* const found = whole["experiment"].as_table();
    return found == nullptr ? none : *found;
  }
};

std::vector<const toml::table*> tables_called(const ExperimentFile& file, const std::string& name) {
  std::vector<const toml::table*> tables;
  const toml::array* const list = file.whole[name].as_array();
  if (list == nullptr) {
    throw ParameterError(
        fmt::format("{}: has no [[{}]]; an experiment has at least one", file.path, name));
  }
  for (const toml::node& node : *list) {
    if (!node.is_table()) {
      throw ParameterError(fmt::format("{}:{}: '{}' must be tables: [[{}]]", file.path,
                                       node.source().begin.line, name, name));
    }
    tables.push_back(node.as_table());
  }
  return tables;
}

std::vector<std::string> fold_keys() {
  FoldArguments arguments;
  CLI::App app;
  app.set_help_flag();
  add_fold_options(app, arguments);
  return known_keys(app);
}

void check_experiment_keys(const ExperimentFile& file) {
  static_cast<void>(TableReader(file.path, "the file", file.whole).inner("experiment"));
  std::vector<std::string> options = grid_keys();
  for (const std::string& key : fold_keys()) options.push_back(key);
  TableReader(file.path, "[experiment]", file.experiment()).check_keys(kExperimentKeys, options);
}

ExperimentFile open_experiment(const TomlText& text) {
  ExperimentFile file;
  file.path = text.file;
  file.whole = parse_toml("EXPERIMENT", text);
  TableReader(file.path, "the file", file.whole).check_keys({"experiment", "data", "method"}, {});
  check_experiment_keys(file);
  file.data = tables_called(file, "data");
  file.methods = tables_called(file, "method");
  return file;
}

/// FILE or NAME=FILE with FILE relative to the folder of the experiment.
std::string beside(const std::string& experiment, const std::string& text) {
  const std::filesystem::path folder = std::filesystem::path(experiment).parent_path();
  std::error_code failure;
  const std::size_t sign = text.find('=');
  if (sign == std::string::npos || sign == 0 || std::filesystem::exists(folder / text, failure)) {
    return (folder / text).string();
  }
  return text.substr(0, sign + 1) + (folder / text.substr(sign + 1)).string();
}

/// A [[data]] table including the defaults of [experiment].
struct DataPlan {
  std::string name;
  TrainArguments train;
  FoldArguments folds;
  std::vector<std::string> named;  ///< files that its options name, such as landmarks
  std::optional<Index> splits;     ///< random ones
  double test = 0.3;
};

void add_all_options(CLI::App& app, DataPlan& plan) {
  app.set_help_flag();
  add_data_options(app, plan.train.data, "");
  add_cell_options(app, plan.train.data);
  add_inlier_option(app, plan.train.data);
  add_learning_options(app, plan.train);
  add_fold_options(app, plan.folds);
}

bool names_any(const toml::table& table, const std::vector<std::string>& keys) {
  return std::ranges::any_of(keys, [&](const std::string& key) { return table.contains(key); });
}

/// The splits of the data set, by default those of [experiment].
void read_random_splits(const ExperimentFile& file, const toml::table& table, DataPlan& plan) {
  const TableReader own(file.path, "[[data]]", table);
  const TableReader common(file.path, "[experiment]", file.experiment());
  const bool has_own = own.has("splits") || names_any(table, fold_keys());
  const TableReader& reader = has_own ? own : common;
  plan.splits = reader.whole("splits", 1);
  const TableReader& shares = own.has("test") ? own : common;
  plan.test = shares.number("test").value_or(0.3);
  if (!(plan.test > 0.0 && plan.test < 1.0)) {
    shares.refuse_key("test", "must be a share of the samples between 0 and 1");
  }
}

DataPlan read_plan(const ExperimentFile& file, const toml::table& table) {
  const TableReader reader(file.path, "[[data]]", table);
  DataPlan plan;
  CLI::App app("", "data");
  add_all_options(app, plan);
  std::vector<std::string> options = known_keys(app);
  options.emplace_back("C");
  reader.check_keys(kDataKeys, options);
  plan.name = reader.text("name");
  apply_config_table(app, file.path, table, kDataKeys);
  std::vector<std::string> skipped = kExperimentKeys;
  const std::vector<std::string> of_folds = fold_keys();
  if (names_any(table, of_folds) || reader.has("splits")) {
    skipped.insert(skipped.end(), of_folds.begin(), of_folds.end());
  }
  apply_config_table(app, file.path, file.experiment(), skipped);
  plan.named = files_of(app).inputs;
  plan.train.data.files = reader.texts("files");
  DataArguments& data = plan.train.data;
  for (auto* list : {&data.files, &data.grams, &data.distances, &data.sets}) {
    for (std::string& text : *list) text = beside(file.path, text);
  }
  if (!plan.folds.split_file.empty())
    plan.folds.split_file = beside(file.path, plan.folds.split_file);
  if (input_files(data).empty()) reader.refuse_key("files", "name the files with the samples");
  read_random_splits(file, table, plan);
  check_fold_options(plan.folds);
  return plan;
}

ChosenFolds splits_of(const DataPlan& plan, const Dataset& data, const TrainOptions& options,
                      const Context& context) {
  if (!plan.splits) {
    return choose_folds(
        plan.folds, texts_of(read_fold_column(plan.folds, plan.train.data, context), data.table),
        data, options, context);
  }
  return choose_splits(data, options,
                       {.splits = *plan.splits,
                        .test = plan.test,
                        .seed = static_cast<std::uint32_t>(context.seed),
                        .group_column = plan.folds.groups},
                       context);
}

const toml::table* common_grid(const ExperimentFile& file) {
  return TableReader(file.path, "[experiment]", file.experiment()).inner("grid");
}

std::vector<ComparedMethod> methods_on(const ExperimentFile& file, const MethodSource& source) {
  const MethodTable place{file.path, common_grid(file)};
  std::vector<ComparedMethod> methods;
  const TableReader experiment(file.path, "[experiment]", file.experiment());
  if (experiment.flag("baselines", true)) methods = baselines(place, source);
  std::set<std::string> names;
  for (const ComparedMethod& method : methods) names.insert(method.name);
  for (const toml::table* table : file.methods) {
    methods.push_back(read_method(place, source, *table));
    if (!names.insert(methods.back().name).second) {
      TableReader(file.path, "[[method]]", *table)
          .refuse_key("name",
                      fmt::format("is '{}', which occurs twice; methods need different names",
                                  methods.back().name));
    }
  }
  return methods;
}

/// Checks that do not need the data.
void check_before_reading(const ExperimentFile& file, const std::vector<DataPlan>& plans) {
  const TrainOptions none;
  for (const DataPlan& plan : plans) {
    static_cast<void>(train_options(plan.train));
    static_cast<void>(methods_on(file, {plan.train, none, nullptr}));
  }
}

void add_data(const ExperimentFile& file, const DataPlan& plan, const Context& context,
              Experiment& experiment) {
  TrainOptions options = train_options(plan.train);
  ComparedData data;
  data.name = plan.name;
  data.data = read_training_data(plan.train, context, options, plan.folds);
  complete_options(data.data, options);
  ChosenFolds chosen = splits_of(plan, data.data, options, context);
  data.splits = std::move(chosen.folds);
  data.methods = methods_on(file, {plan.train, options, &data.data});
  experiment.split_rules.push_back(chosen.rule);
  std::ranges::move(data_remarks(data, chosen, experiment.rules.inner_folds),
                    std::back_inserter(experiment.remarks));
  experiment.data.push_back(std::move(data));
}

ComparisonRules read_rules(const ExperimentFile& file, const std::string& seed) {
  const TableReader reader(file.path, "[experiment]", file.experiment());
  ComparisonRules rules;
  rules.scores = reader.texts("score");
  for (const std::string& score : rules.scores) {
    try {
      static_cast<void>(score_rule(score));
    } catch (const ParameterError& error) {
      reader.refuse_key("score", fmt::format("is not a score: {}", error.what()));
    }
  }
  rules.inner_folds = reader.whole("inner-folds", 2).value_or(5);
  constexpr Index largest = std::numeric_limits<std::uint32_t>::max();
  const Index chosen =
      seed.empty() ? reader.whole("seed", 0).value_or(0) : whole_number("--seed", seed, 0);
  if (chosen > largest) {
    throw ParameterError(
        fmt::format("seed: the seed of splits must be at most {}, got {}", largest, chosen));
  }
  rules.seed = static_cast<std::uint32_t>(chosen);
  return rules;
}

void check_data_names(const ExperimentFile& file) {
  std::set<std::string> names;
  for (const toml::table* table : file.data) {
    const TableReader reader(file.path, "[[data]]", *table);
    if (!names.insert(reader.text("name")).second) {
      reader.refuse_key("name",
                        fmt::format("is '{}', which occurs twice; data sets need different names",
                                    reader.text("name")));
    }
  }
}

}  // namespace

namespace {

/// The files that settings of a table, and the values of its grid, name.
void add_files_of_settings(const toml::table& table, std::vector<std::string>& files) {
  const auto add = [&](const Field& field, const toml::node& node) {
    const auto text = node.value<std::string>();
    if (text && names_file(field.word, *text)) files.push_back(*text);
  };
  for (const Field& field : fields()) {
    const std::string key = field.flag.substr(2);
    for (const toml::node* const node : {table.get(key), table["grid"][key].node()}) {
      if (node == nullptr) continue;
      add(field, *node);
      const toml::array* const list = node->as_array();
      for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) add(field, *list->get(i));
    }
  }
}

}  // namespace

std::vector<std::string> files_of_experiment(const TomlText& text, const Context& context) {
  const ExperimentFile file = open_experiment(text);
  std::vector<std::string> files = {text.file};
  for (const toml::table* table : file.data) {
    stop_if_asked(context);
    const DataPlan plan = read_plan(file, *table);
    const std::vector<std::string> inputs = input_files(plan.train.data);
    files.insert(files.end(), inputs.begin(), inputs.end());
    files.insert(files.end(), plan.named.begin(), plan.named.end());
    if (!plan.folds.split_file.empty()) files.push_back(plan.folds.split_file);
  }
  for (const toml::table* table : file.methods) add_files_of_settings(*table, files);
  add_files_of_settings(file.experiment(), files);
  return files;
}

Experiment read_experiment(const TomlText& text, const std::string& seed, const Context& context) {
  const ExperimentFile file = open_experiment(text);
  Experiment experiment;
  experiment.file = text.file;
  experiment.rules = read_rules(file, seed);
  check_data_names(file);
  Context seeded = context;
  seeded.seed = experiment.rules.seed;
  std::vector<DataPlan> plans;
  for (const toml::table* table : file.data) {
    stop_if_asked(context);
    plans.push_back(read_plan(file, *table));
  }
  check_before_reading(file, plans);
  for (const DataPlan& plan : plans) add_data(file, plan, seeded, experiment);
  if (experiment.rules.scores.empty()) {
    const ComparedData& first = experiment.data.front();
    experiment.rules.scores = {
        default_score(first.data.table, first.methods.front().candidates.front().options)};
  }
  return experiment;
}

}  // namespace kernmix::cli
