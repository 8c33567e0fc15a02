#include "kernmix/model/train.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "command.hpp"
#include "json_run.hpp"
#include "kernmix/error.hpp"
#include "layout.hpp"
#include "model/stopwatch.hpp"
#include "options.hpp"
#include "text.hpp"
#include "values.hpp"

namespace kernmix::cli {
namespace {

struct TrainArguments {
  CommonArguments common;
  DataArguments data;
  std::vector<std::string> views;
  std::vector<std::string> kernels;
  std::string normalize = "trace";
  std::string scale = "standard";
  std::string regularizer = "l1";
  std::string loss = "hinge";
  std::string C = "1";
  std::vector<std::string> class_weights;
  std::string sample_weight;
  std::string positive;
  std::string solver = "auto";
  std::string tolerance = "1e-3";
  std::string max_iterations = "1000";
  std::string output;
};

const HelpText kTrainHelp = {
    "train", "Train a certified multiple kernel classifier and write it as one model file.",
    "DATA... --label COL -o MODEL.kmx [OPTIONS]",
    "  kernmix train train.csv --label y -o model.kmx\n"
    "  kernmix train train.csv --label y --view 'size=area,radius' --view 'shape=sym*' \\\n"
    "      --kernel 'rbf(gamma=2^-6..2^3) on *' --kernel 'poly(degree=1..3) on all, each' \\\n"
    "      --regularizer lp:p=1.33 -C 10 --json run.json -o model.kmx\n"
    "  kernmix train labels.csv --label y --gram kernels.npy -o model.kmx\n"
    "  kernmix train genes.csv methylation.csv --id patient --label outcome -o model.kmx\n",
    "The kernel language, regularizers and solvers: kernmix list. The certificate: "
    "docs/problem.md.\n"
    "Exit codes: 0 done, 2 usage, 3 data, 4 memory or disk, 5 stopped before the tolerance (the\n"
    "best certified answer was written)."};

void add_problem_options(CLI::App& app, TrainArguments& a) {
  const std::string kernels = "Kernels";
  add_values(app, "--view", a.views,
             {kernels, "NAME=COLUMNS",
              "A view: a comma list of column names, globs (mean_*), positions or ranges (3-12, "
              "first..last); may be repeated [default: one view of all columns, or one per file]"});
  add_values(
      app, "--kernel", a.kernels,
      {kernels, "EXPR",
       "Base kernels, for example 'rbf(gamma=2^-6..2^3) on color, each'; may be repeated "
       "[default: rbf(gamma=2^-6..2^3) on every view, and precomputed on every Gram matrix]"});
  add_value(app, "--normalize", a.normalize,
            {kernels, "RULE",
             "Of kernels that do not say their own: trace, unit-trace, cosine, center, none, or "
             "several joined by +"});
  add_value(app, "--scale", a.scale, {kernels, "RULE", "Of columns: standard, minmax or none"});
  const std::string problem = "Problem";
  add_value(app, "--regularizer", a.regularizer,
            {problem, "REG", "l1, lp:p=P, average, sum or fixed:W1,W2,... (see kernmix list)"});
  add_value(app, "--loss", a.loss, {problem, "LOSS", "Loss function"});
  add_value(app, "-C,--cost", a.C, {problem, "NUMBER", "Weight of the loss, > 0"});
  add_values(app, "--class-weight", a.class_weights,
             {problem, "LABEL=W",
              "Factor of C for one class, or balanced: n / (2 n_class); may be repeated"});
  add_value(app, "--sample-weight", a.sample_weight,
            {problem, "COL", "Column with a factor > 0 of C for each sample"});
  add_value(app, "--positive", a.positive,
            {problem, "LABEL", "The positive class [default: the larger label]"});
}

void add_solver_options(CLI::App& app, TrainArguments& a) {
  const std::string solver = "Solver";
  add_value(app, "--solver", a.solver, {solver, "SOLVER", "auto, newton or alternating"});
  add_value(app, "--tolerance", a.tolerance,
            {solver, "NUMBER", "Stop at this relative duality gap, between 0 and 1"});
  add_value(app, "--max-iterations", a.max_iterations, {solver, "N", "Outer iterations at most"});
  add_value(app, "-o,--output", a.output,
            {"Results", "MODEL.kmx", "Model file to write (required)"});
}

/// Everything that can be refused before a file is read.
TrainOptions train_options(const TrainArguments& a) {
  TrainOptions options;
  options.kernels = a.kernels;
  options.regularizer = regularizer_text(parse_regularizer(a.regularizer));
  options.loss = loss_text(parse_loss(a.loss));
  options.C = positive_number("-C", a.C);
  options.positive = a.positive;
  options.scaling = parse_scaling(a.scale);
  options.normalization = parse_normalization(a.normalize);
  options.solver.solver = a.solver;
  options.solver.tolerance = positive_number("--tolerance", a.tolerance);
  options.solver.max_iterations = whole_number("--max-iterations", a.max_iterations, 1);
  check_solver(parse_loss(a.loss), parse_regularizer(a.regularizer), options.solver);
  return options;
}

/// Takes the column `name` out of the table: it is a weight, not a feature.
Vector take_column(Table& table, const std::string& name) {
  const auto found = std::find(table.columns.begin(), table.columns.end(), name);
  if (found == table.columns.end()) {
    throw ParameterError(fmt::format("--sample-weight: {} has no column {}{}", table.source,
                                     kernmix::in_quotes(name), did_you_mean(name, table.columns)));
  }
  const Index taken = found - table.columns.begin();
  Vector column;
  Matrix rest(table.values.rows, table.values.cols - 1);
  for (Index i = 0; i < table.values.rows; ++i) {
    const ConstSpan row = table.values.row(i);
    const MutableSpan kept = rest.row(i);
    std::copy(row.begin(), row.begin() + taken, kept.begin());
    std::copy(row.begin() + taken + 1, row.end(), kept.begin() + taken);
    column.push_back(row[static_cast<std::size_t>(taken)]);
  }
  table.columns.erase(found);
  table.values = std::move(rest);
  return column;
}

Dataset read_dataset(const TrainArguments& a, const Context& context, TrainOptions& options) {
  Dataset data;
  data.table = read_table(a.data.files, read_options(a.data, context));
  if (!a.sample_weight.empty()) {
    options.sample_weights = take_column(data.table, a.sample_weight);
  }
  if (!data.table.columns.empty() || !a.views.empty()) {
    data.views = resolve_views(a.views, data.table);
  }
  data.matrices = read_matrix_views(a.data);
  return data;
}

/// Samples of the negative and the positive class.
std::pair<Index, Index> class_sizes(const BinaryLabels& classes,
                                    const std::vector<std::string>& labels) {
  const Vector y = classes.encode(labels);
  const Index positive = std::count(y.begin(), y.end(), 1.0);
  return {length(y) - positive, positive};
}

std::map<std::string, double> class_weights(const TrainArguments& a, const Table& table) {
  std::map<std::string, double> weights;
  for (const std::string& text : a.class_weights) {
    if (text == "balanced") {
      if (a.class_weights.size() > 1) {
        throw ParameterError("--class-weight: balanced cannot be combined with other weights");
      }
      const BinaryLabels classes = BinaryLabels::find(table.labels, a.positive);
      const auto [negative, positive] = class_sizes(classes, table.labels);
      const double half = 0.5 * static_cast<double>(table.samples());
      return {{classes.negative, half / static_cast<double>(negative)},
              {classes.positive, half / static_cast<double>(positive)}};
    }
    const auto [label, weight] = assignment("--class-weight", text);
    if (!weights.emplace(label, positive_number("--class-weight " + label, weight)).second) {
      throw ParameterError(
          fmt::format("--class-weight: class {} was given twice", kernmix::in_quotes(label)));
    }
  }
  return weights;
}

/// The kernels with the largest block norms, as a table.
std::string top_weights(const Model& model, std::size_t limit) {
  std::vector<std::size_t> order(model.kernels.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
    return model.kernels[left].norm > model.kernels[right].norm;
  });
  std::vector<Row> rows = {{"weight", "norm", "kernel"}};
  for (const std::size_t m : order) {
    const ModelKernel& kernel = model.kernels[m];
    if (rows.size() > limit || kernel.weight == 0.0) break;
    rows.push_back({fmt::format("{:.4g}", kernel.weight), fmt::format("{:.4g}", kernel.norm),
                    kernel.description.name()});
  }
  return aligned(rows, true);
}

std::string summary(const TrainResult& result, const RunFacts& facts) {
  const Model& model = result.model;
  const Certificate& certificate = model.certificate;
  const auto used = std::count_if(model.kernels.begin(), model.kernels.end(),
                                  [](const ModelKernel& kernel) { return kernel.weight > 0.0; });
  std::vector<Row> rows = {
      {"status", status_name(result.solution.status)},
      {"primal", fmt::format("{:.8g}", certificate.primal)},
      {"dual", fmt::format("{:.8g}", certificate.dual)},
      {"relative gap", fmt::format("{:.2e}  (tolerance {:g})", certificate.relative_gap(),
                                   model.settings.tolerance)},
      {"iterations",
       fmt::format("{}  ({})", result.solution.history.size(), model.settings.solver)},
      {"samples",
       fmt::format("{}  ({} {}, {} {})", model.training_samples, facts.samples_per_class[0],
                   model.classes.negative, facts.samples_per_class[1], model.classes.positive)},
      {"support", fmt::format("{}", model.support.size())},
      {"kernels used", fmt::format("{} of {}", used, model.kernels.size())},
      {"time", readable_seconds(facts.total_seconds)},
      {"model", facts.model_file}};
  if (facts.unmatched > 0) {
    rows.push_back(
        {"unmatched", fmt::format("{} samples were left out: not in every file", facts.unmatched)});
  }
  return aligned(rows) + "\n" + top_weights(model, 10);
}

void check_arguments(const TrainArguments& a) {
  require(!a.data.files.empty(), "DATA", "name at least one file with samples and their labels");
  require(!a.output.empty(), "-o", "name the model file to write");
  if (a.output == "-") throw ParameterError("-o: a model needs a file name, '-' is not one");
  std::vector<std::string> inputs = input_files(a.data);
  if (!a.common.config.empty()) inputs.push_back(a.common.config);
  check_outputs({{"-o", a.output}, {"--json", a.common.json}}, inputs);
}

RunFacts run_facts(const TrainArguments& a, const Dataset& data, const TrainResult& result) {
  RunFacts facts;
  facts.files = a.data.files;
  for (const auto* matrices : {&a.data.grams, &a.data.distances}) {
    facts.files.insert(facts.files.end(), matrices->begin(), matrices->end());
  }
  facts.label = a.data.label;
  facts.id = a.data.id;
  facts.sample_weight = a.sample_weight;
  facts.model_file = a.output;
  std::tie(facts.samples_per_class[0], facts.samples_per_class[1]) =
      class_sizes(result.model.classes, data.table.labels);
  facts.unmatched = data.table.unmatched;
  return facts;
}

int run_train(const TrainArguments& a) {
  const Stopwatch clock;
  check_arguments(a);
  TrainOptions options = train_options(a);
  ProgressLine progress(!a.common.quiet);
  std::vector<std::string> log;
  const Context context = make_context(a.common, progress, log);

  const Dataset data = read_dataset(a, context, options);
  options.class_weights = class_weights(a, data.table);
  const double read_seconds = clock.seconds();
  const TrainResult result = train(data, options, context);
  save_model(result.model, a.output);
  progress.erase();

  RunFacts facts = run_facts(a, data, result);
  facts.read_seconds = read_seconds;
  facts.total_seconds = clock.seconds();
  facts.log = log;
  if (!a.common.json.empty()) {
    write_text(a.common.json, json_text(run_json(result, options, data, context, facts)));
  }
  if (!a.common.quiet) fmt::print(stderr, "{}", summary(result, facts));
  return result.solution.status == Status::converged ? kDone : kStoppedEarly;
}

}  // namespace

Command make_train(CLI::App& root) {
  const auto arguments = std::make_shared<TrainArguments>();
  CLI::App& app = add_command(root, kTrainHelp);
  add_data_options(app, arguments->data,
                   "Column with the two-class labels (required, except for LIBSVM files)");
  add_problem_options(app, *arguments);
  add_solver_options(app, *arguments);
  add_common_options(app, arguments->common);
  return {&app, &arguments->common.config, [arguments] { return run_train(*arguments); }};
}

}  // namespace kernmix::cli
