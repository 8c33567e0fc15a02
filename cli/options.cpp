#include "options.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <thread>

#include "base/text.hpp"
#include "command.hpp"
#include "data/arrays/array_place.hpp"
#include "data/file.hpp"
#include "data/names/row_ids.hpp"
#include "kernmix/error.hpp"
#include "kernmix/matrix_files.hpp"
#include "kernmix/process.hpp"
#include "model/landmarks/landmarks.hpp"
#include "model/named_matrices.hpp"
#include "model/prediction_kernels.hpp"
#include "model/settings/number_text.hpp"
#include "model/solving/kernel_store.hpp"
#include "output.hpp"
#include "signals.hpp"

namespace kernmix::cli {
namespace {

FileFormat parse_format(const std::string& text) {
  if (text.empty()) return FileFormat::automatic;
  const std::optional<FileFormat> format = find_format(text);
  if (format && *format != FileFormat::automatic) return *format;
  throw ParameterError(fmt::format("--format must be csv, tsv, libsvm, arff or npy, got {}",
                                   kernmix::in_quotes(text)));
}

/// One of `marks`, or 0 if the option is not given.
char parse_mark(const std::string& option, const std::string& text, std::string_view marks,
                const std::string& words) {
  if (text.empty()) return '\0';
  if (text.size() == 1 && marks.find(text.front()) != std::string_view::npos) return text.front();
  throw ParameterError(
      fmt::format("{} must be {}, got {}", option, words, kernmix::in_quotes(text)));
}

void append_matrices(const std::vector<std::string>& specifications, KernelInput kind,
                     const std::vector<Index>& columns, const Context& context, Dataset& data) {
  std::vector<MatrixView>& views = data.matrices;
  std::set<std::string> names;
  for (const MatrixView& view : views) names.insert(view.name);
  for (const std::string& specification : specifications) {
    if (file_place(specification).file == "-") {
      throw ParameterError(
          "--gram -: standard input holds a table (DATA); write matrices to a file");
    }
    const auto opened = [&](const Context& left) {
      return open_matrix_file(specification, columns, left);
    };
    for (MatrixInFile& one : read_beside(held_bytes(data), context, opened)) {
      if (!names.insert(one.name).second) {
        throw ParameterError(fmt::format(
            "two matrices are named '{}', give different names with --gram NAME=FILE", one.name));
      }
      views.push_back({one.name, kind, std::move(one.matrix)});
    }
  }
}

/// Items of comma lists; a MULAN file with label names is replaced by these names.
std::vector<std::string> items_of(const std::vector<std::string>& lists, const Context& context) {
  std::vector<std::string> items;
  for (const std::string& list : lists) {
    if (list.ends_with(".xml")) {
      const std::vector<std::string> names = read_label_names(list, context);
      items.insert(items.end(), names.begin(), names.end());
      continue;
    }
    for (const std::string_view item : kernmix::split(list, ',')) items.emplace_back(item);
  }
  return items;
}

/// Items of comma lists; a list between double quotes is one item.
std::vector<std::string> cell_texts(const std::vector<std::string>& lists) {
  std::vector<std::string> texts;
  for (const std::string& list : lists) {
    if (list.size() > 1 && list.front() == '"' && list.back() == '"') {
      texts.push_back(list.substr(1, list.size() - 2));
      continue;
    }
    for (const std::string_view item : kernmix::split(list, ',')) texts.emplace_back(item);
  }
  return texts;
}

int thread_count(const std::string& text) {
  const int most = threads_in_address_space();
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  if (text.empty()) return std::clamp(cores, 1, std::max(1, most));
  const Index threads = whole_number("--threads", text, 1);
  if (threads > 4096)
    throw ParameterError(fmt::format("--threads must be <= 4096, got {}", threads));
  if (threads > most) {
    throw ResourceError(fmt::format(
        "--threads {}: the address space that ulimit -v allows has room for {}; allow more",
        threads, most));
  }
  return static_cast<int>(threads);
}

void add_memory_option(OptionGroup& resources, CommonArguments& arguments) {
  resources.value("--memory", arguments.memory, "SIZE",
                  "Memory budget, for example 500M or 4G; a run that would exceed it fails before "
                  "it starts [default: 80 % of the available memory]");
}

/// The model comes first, and its file is easily recognised among the data.
Model load_first(const ModelArguments& arguments, const Context& context) {
  try {
    return load_model(arguments.model, context);
  } catch (const DataError&) {
    const auto is_model = [](const std::string& file) {
      return first_bytes(file).starts_with("KERNMIX");
    };
    const auto& files = arguments.data.files;
    const auto model = std::ranges::find_if(files, is_model);
    if (model == files.end() || is_model(arguments.model)) throw;
    throw DataError(fmt::format("{} is not a model, and {} is one: write the model before the data",
                                arguments.model, *model));
  }
}

/// Keeps what a pipe delivers, because some commands read their files twice.
void keep_standard_input(const DataArguments& arguments, const Context& context) {
  const auto is_standard_input = [](const std::string& text) {
    return file_place(text).file == "-";
  };
  struct stat about = {};
  const bool asked = std::ranges::any_of(arguments.files, is_standard_input);
  if (!asked || ::fstat(STDIN_FILENO, &about) != 0 || S_ISREG(about.st_mode)) return;
  const std::string bytes = read_file("/dev/stdin", context);
  const int kept = ::memfd_create("standard input", 0);
  std::size_t written = 0;
  while (kept >= 0 && written < bytes.size()) {
    const ssize_t count = ::write(kept, bytes.data() + written, bytes.size() - written);
    if (count <= 0) break;
    written += to_size(count);
  }
  if (written < bytes.size() || ::dup2(kept, STDIN_FILENO) < 0) {
    throw ResourceError("standard input: there is no room to keep it; write it to a file");
  }
  ::close(kept);
}

}  // namespace

void add_limit_options(CLI::App& app, CommonArguments& arguments) {
  OptionGroup resources(app, "Resources");
  add_memory_option(resources, arguments);
  resources.value(
      "--time-limit", arguments.time_limit, "TIME",
      fmt::format("Longest time that the command may take, for example 30s, 5m or 2h; it "
                  "then ends {} [default: none]",
                  kNoResult));
}

void add_common_options(CLI::App& app, CommonArguments& arguments, const char* at_limit) {
  OptionGroup resources(app, "Resources");
  resources.value("--threads", arguments.threads, "N",
                  "Threads to use; never changes a result [default: all cores]");
  add_memory_option(resources, arguments);
  resources.value(
      "--time-limit", arguments.time_limit, "TIME",
      fmt::format("Longest time that the command may take, for example 30s, 5m or 2h; it then ends "
                  "{} [default: none]",
                  at_limit));
  resources.value("--seed", arguments.seed, "N", "Seed of all random choices");
  OptionGroup general(app, "General");
  general.value("--json", arguments.json, writes("FILE"),
                "Also write the result as JSON; - is standard output");
  general.value("--config", arguments.config, reads("FILE.toml"),
                "Read options from a TOML file (label = \"y\", C = 10, kernel = [...]); options on "
                "the command line take precedence, then those of a table [COMMAND]");
  general.toggle("-q,--quiet", arguments.quiet,
                 "Write only errors to standard error, without progress and summary");
  general.toggle("-v,--verbose", arguments.verbose,
                 "Write the choices that the program makes during the run to standard error");
}

Context limits_of(const CommonArguments& arguments) {
  Context context;
  context.memory_bytes = arguments.memory.empty() ? default_memory_budget(context.threads)
                                                  : byte_count("--memory", arguments.memory);
  context.cancelled = &stop_requested();
  if (!arguments.time_limit.empty()) {
    const std::chrono::duration<double> limit(
        duration_seconds("--time-limit", arguments.time_limit));
    context.deadline = std::chrono::steady_clock::now() +
                       std::chrono::duration_cast<std::chrono::steady_clock::duration>(limit);
  }
  return context;
}

Context limits_of(const CLI::App& app) {
  CommonArguments arguments;
  for (const auto& [name, value] : {std::pair("--memory", &arguments.memory),
                                    std::pair("--time-limit", &arguments.time_limit)}) {
    const CLI::Option* const option = app.get_option_no_throw(name);
    if (option != nullptr && option->count() > 0) *value = option->results().back();
  }
  return limits_of(arguments);
}

Context make_context(const CommonArguments& arguments, ProgressLine& progress,
                     std::vector<std::string>& log) {
  const int threads = thread_count(arguments.threads);
  Context context = limits_of(arguments);
  context.threads = threads;
  if (arguments.memory.empty()) context.memory_bytes = default_memory_budget(threads);
  context.seed = seed_number("--seed", arguments.seed);
  context.progress = [&progress](const Progress& moment) { progress.show(moment); };
  // Of landmarks, and of kernels that do not fit in memory.
  const auto said = std::make_shared<std::array<std::atomic<bool>, 2>>();
  for (std::atomic<bool>& own : *said) own = arguments.quiet;
  context.log = [&log, &progress, said, tell = arguments.verbose](std::string_view message) {
    log.emplace_back(message);
    // What the user did not ask for is said once, of the first of many models.
    const bool unasked = (message.starts_with(landmark_remark) && !said->at(0).exchange(true)) ||
                         (message.starts_with(storage_remark) && !said->at(1).exchange(true));
    if (!tell && !unasked) return;
    progress.erase();
    write_message(fmt::format("kernmix: {}\n", message));
  };
  return context;
}

void add_data_options(CLI::App& app, DataArguments& arguments, const std::string& label_help) {
  OptionGroup data(app, "Data");
  data.values("DATA", arguments.files, reads_table("FILE..."),
              "CSV, TSV, LIBSVM, ARFF or NPY files, NPZ, HDF5, AnnData, MuData or MATLAB files "
              "(FILE:NAME for one of their arrays), or - for text on standard input; several files "
              "are joined on --id or, without it, row by row. NAME=FILE names the view of a file.");
  data.value("--label", arguments.label, "COL", label_help);
  data.values(
      "--labels", arguments.labels, {"COLUMNS", FileUse::reads_names},
      "Multi-label data: columns of 0 and 1 (names, globs, positions or ranges, separated by "
      "commas), or the labels.xml of a MULAN data set. For LIBSVM files with several labels on a "
      "line, COLUMNS lists the labels to use, or is '*' for all; may be repeated");
  data.values(
      "--targets", arguments.targets, {"COLUMNS", FileUse::reads_names},
      "Several regression targets: columns (names, globs, positions or ranges, separated by "
      "commas); may be repeated");
  data.value("--id", arguments.id, "COL", "Column with sample ids; several files are joined on it");
  data.values(
      "--ignore", arguments.ignore, "COLUMNS",
      "Columns to ignore: names or globs such as 'note_*', separated by commas; '\"a,b\"' in "
      "quotes is one name; may be repeated");
  data.value("--format", arguments.format, "FORMAT",
             "csv, tsv, libsvm, arff or npy [default: by file name and content]");
  data.toggle("--no-header", arguments.no_header,
              "CSV and TSV files have no header; their columns are called 1, 2, ...");
  add_notation_options(data, arguments);
  data.values(
      "--gram", arguments.grams, reads_table("[NAME=]FILE"),
      "File with a Gram matrix (.npy or text), or with a stack of M matrices (M x n x n), which "
      "are called NAME[0], NAME[1], ..., or FILE:ARRAY of an NPZ, HDF5 or MATLAB file; sample "
      "names in a text file are matched with the ids of --id; may be repeated");
  data.values("--distance", arguments.distances, reads_table("[NAME=]FILE"),
              "File with a matrix of distances, or with a stack, as for --gram; may be repeated");
}

void add_notation_options(OptionGroup& data, DataArguments& arguments) {
  data.value("--decimal", arguments.decimal, "MARK",
             "Decimal mark of CSV and TSV files, . or , [default: recognised]");
  data.value("--thousands", arguments.thousands, "MARK",
             "Separator between groups of three digits in CSV and TSV files: , . ' or a blank "
             "[default: none]");
}

void add_cell_options(CLI::App& app, DataArguments& arguments, bool trains) {
  OptionGroup data(app, "Data");
  data.values(
      "--na", arguments.na, "TEXTS",
      fmt::format(
          "Further values that mean missing, separated by commas, such as -9,unknown; "
          "'\"<0,5\"' in quotes is one value. Empty cells, NA, N/A, NaN, null, None, ? and . "
          "mean missing, too, unless '!None' says that None is a word among categories, labels, "
          "groups and ids ('!*': every text){}; may be repeated",
          trains ? ". The model stores these values" : ""));
  data.values(
      "--categorical", arguments.categorical, "COLUMNS",
      fmt::format(
          "Columns of categories, separated by commas: names, globs, or auto for every column "
          "that has words and no number. Each category becomes a column of 0 and 1; these are "
          "scaled together, so that the whole variable has the weight of one column of numbers. "
          "'COLUMN=LOW<MIDDLE<HIGH' orders categories and numbers them 0, 1, 2{}; may be "
          "repeated",
          trains ? ". The model stores the categories" : ""));
}

void add_sets_option(OptionGroup& group, DataArguments& arguments, bool trains) {
  group.values(
      "--sets", arguments.sets, reads_table("[NAME=]FILE.gmt"),
      fmt::format(
          "GMT file with named sets of columns, such as gene sets: each set is a view of its "
          "columns. Columns in no set are not used{}. With several DATA files, NAME is the "
          "file to which the sets refer, and the views of the sets are called NAME.SET; if every "
          "--sets has a NAME{}, each of the other files is a view. May be repeated",
          trains ? ", except in --view" : "", trains ? " and there is no --view" : ""));
}

std::vector<ColumnSets> read_all_sets(const DataArguments& arguments, const Context& context) {
  std::vector<ColumnSets> all;
  for (const std::string& file : arguments.sets) all.push_back(read_sets(file, context));
  return all;
}

std::string unused_columns_text(const Table& table, const SetViews& found) {
  const char* const verb = found.unused == 1 ? "is" : "are";
  return fmt::format("{}: {} of {} columns {} in no view and {} not used", table.source,
                     found.unused, table.columns.size(), verb, verb);
}

void add_inlier_option(CLI::App& app, DataArguments& arguments) {
  OptionGroup(app, "Data")
      .value("--inlier", arguments.inlier, "LABEL",
             "Novelty detection: the label of inliers [default: the class called inlier or normal; "
             "if none, the class other than outlier, anomaly or novelty; if none of these names "
             "occurs, the larger class]");
  arguments.takes_inlier = true;
}

void add_model_options(CLI::App& app, ModelArguments& arguments, const std::string& label_help) {
  OptionGroup(app, "Data")
      .value("MODEL", arguments.model, reads("MODEL.kmx"),
             "Model file that train, tune or auto wrote");
  add_data_options(app, arguments.data, label_help);
}

ModelSession::ModelSession(const ModelArguments& arguments) : progress(!arguments.common.quiet) {
  require(!arguments.model.empty(), "MODEL", "name the model file that kernmix train wrote");
  context = make_context(arguments.common, progress, log);
  model = load_first(arguments, context);
}

std::string first_bytes(const std::string& file) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(file, unknown)) return "";  // a pipe is read once
  std::ifstream stream(file, std::ios::binary);
  std::string bytes(16, '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(to_size(std::max<std::streamsize>(stream.gcount(), 0)));
  return bytes;
}

std::vector<std::string> input_files(const DataArguments& arguments) {
  std::vector<std::string> paths;
  for (const auto* list :
       {&arguments.files, &arguments.grams, &arguments.distances, &arguments.sets}) {
    for (const std::string& text : *list) {
      const std::string file = file_place(text).file;
      if (file != "-") paths.push_back(file);
    }
  }
  return paths;
}

ReadOptions read_options(const DataArguments& arguments, const Context& context) {
  keep_standard_input(arguments, context);
  return read_options_once(arguments, context);
}

ReadOptions read_options_once(const DataArguments& arguments, const Context& context) {
  ReadOptions options;
  options.format = parse_format(arguments.format);
  options.header = !arguments.no_header;
  options.label_column = arguments.label;
  options.label_columns = items_of(arguments.labels, context);
  options.target_columns = items_of(arguments.targets, context);
  options.id_column = arguments.id;
  options.ignore = cell_texts(arguments.ignore);
  options.decimal = parse_mark("--decimal", arguments.decimal, ".,", "a point or a comma");
  options.thousands = parse_mark("--thousands", arguments.thousands, ",.' ",
                                 "a comma, a point, an apostrophe or a blank");
  if (options.decimal != '\0' && options.decimal == options.thousands) {
    throw ParameterError(
        fmt::format("--thousands {0}: --decimal {0} gives the character another "
                    "meaning",
                    arguments.thousands));
  }
  options.na = cell_texts(arguments.na);
  options.categorical = cell_texts(arguments.categorical);
  options.keep_sparse = true;
  options.context = context;
  return options;
}

void add_matrices(const DataArguments& arguments, const Context& context, Dataset& data,
                  const std::vector<Index>& columns) {
  if (arguments.files.empty() && !(arguments.decimal.empty() && arguments.thousands.empty())) {
    throw ParameterError(fmt::format(
        "{} is for CSV and TSV files (DATA); the notation of matrices in text is recognised",
        arguments.decimal.empty() ? "--thousands" : "--decimal"));
  }
  append_matrices(arguments.grams, KernelInput::gram, columns, context, data);
  append_matrices(arguments.distances, KernelInput::distance, columns, context, data);
}

Dataset read_columns(const std::vector<std::string>& columns, const ColumnReading& reading,
                     const DataArguments& arguments, ReadOptions options, MatrixUse use,
                     const std::vector<Index>& matrix_columns, const LandmarkRule& landmarks) {
  if (arguments.files.empty() && !columns.empty()) {
    throw ParameterError(
        fmt::format("DATA is missing: the model reads {} columns, name the file that holds them",
                    columns.size()));
  }
  Dataset data;
  const Context context = options.context;
  add_matrices(arguments, context, data, matrix_columns);
  if (!arguments.files.empty()) {
    data.table = read_beside(held_bytes(data), context, [&](const Context& left) {
      options.context = left;
      return read_new_table(arguments.files, columns, reading, options);
    });
  } else if (data.matrices.empty()) {
    throw ParameterError("--gram or --distance is missing: the model reads a given matrix");
  }
  for (const View& view : reading.lacking) data.incomplete.push_back(view.name);
  if (use == MatrixUse::training) {
    join_training_matrices(data, landmarks, context);
  } else {
    join_new_matrices(data, context);
  }
  if (arguments.files.empty()) data.table.values.rows = data.matrices.front().matrix.rows();
  return data;
}

void require_some_view(const Table& table, const Prediction& prediction) {
  const auto none = std::ranges::find(prediction.views, "");
  if (none == prediction.views.end()) return;
  const Index count = std::ranges::count(prediction.views, "");
  throw DataError(fmt::format(
      "{}: {} of {} samples {} none of the views that the model reads, for example sample {}: all "
      "of them would have the same prediction; leave them out",
      table.source.empty() ? "the matrices" : table.source, count, prediction.views.size(),
      count == 1 ? "has" : "have", sample_name(table, none - prediction.views.begin())));
}

void require_matrices(const Model& model, const DataArguments& arguments) {
  if (!arguments.grams.empty() || !arguments.distances.empty()) return;
  std::vector<std::string> names;
  std::string options;
  for (const std::string& name : model.matrices) {
    const auto kernel = std::ranges::find_if(model.kernels, [&](const ModelKernel& own) {
      return own.description.from_matrix && own.description.view == name && own.weight > 0.0;
    });
    const bool may_lack = std::ranges::any_of(
        model.presences, [&](const auto& own) { return own.view.name == name; });
    if (kernel == model.kernels.end() || may_lack) continue;
    const bool gram = kernel->description.function.name == "precomputed";
    names.push_back(in_quotes(name));
    options += fmt::format(" {} {}=FILE", gram ? "--gram" : "--distance", name);
  }
  if (names.empty()) return;
  throw DataError(fmt::format("the model reads the matri{} {}: give {} with{}",
                              names.size() == 1 ? "x" : "ces", comma_list(names),
                              names.size() == 1 ? "it" : "them", options));
}

Dataset read_new_data(const Model& model, const DataArguments& arguments, ReadOptions options) {
  const auto read = [&](const ColumnReading& reading) {
    return read_columns(model.columns, reading, arguments, options, MatrixUse::prediction,
                        {model.training_samples, length(model.support)});
  };
  ColumnReading reading = column_reading(model);
  Dataset data = read(reading);
  const bool again = std::ranges::find(arguments.files, "-") == arguments.files.end();
  if (again && has_missing_cells_of_views(model, data.table)) {
    reading.keep_missing = false;
    (void)read(reading);  // says which cells
  }
  require_matrices(model, arguments);
  std::ranges::move(notes_on_columns(model, data), std::back_inserter(data.table.notes));
  return data;
}

std::string left_out_text(Index samples) {
  return fmt::format("{} sample{} left out: not in every file that {}", samples,
                     samples == 1 ? " was" : "s were", samples == 1 ? "it needs" : "they need");
}

void say_of_reading(const Table& table, const CommonArguments& common) {
  if (common.quiet) return;
  for (const std::string& note : table.notes) write_message(fmt::format("kernmix: {}\n", note));
  if (table.unmatched == 0) return;
  const std::string& example = table.unmatched_example;
  write_message(fmt::format("kernmix: {}{}\n", left_out_text(table.unmatched),
                            example.empty() ? "" : ", for example " + example));
}

std::string sample_name(const Table& table, Index i) {
  const bool named = !table.ids.empty() && !row_of_id(table.ids[to_size(i)]);
  return named ? table.ids[to_size(i)] : fmt::format("{}", file_row(table, i));
}

}  // namespace kernmix::cli
