/// \file
/// Bad input ends in one clear sentence and the right exit code, and leaves nothing behind.

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "end_to_end/tool.hpp"

namespace kernmix::test {
namespace {

struct Refusal {
  const char* name;
  const char* line;  ///< after "kernmix"; GOOD.csv and the like are made for every case
  int code;
  std::vector<std::string> fragments;  ///< of the message
  std::string file = "";               ///< contents of BAD, where the line names it
};

void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.name; }

constexpr const char* kTrain = "train GOOD.csv --label y -o m.kmx ";

/// Twelve samples with two columns, two classes and ids.
std::string good_csv() {
  std::string text = "id,y,a,b\n";
  for (int i = 0; i < 12; ++i) {
    text += "s" + std::to_string(i) + "," + (i % 2 == 0 ? "no" : "yes") + "," +
            std::to_string((i * 7) % 5) + "," + std::to_string(i % 3 + (i % 2)) + "\n";
  }
  return text;
}

std::vector<std::string> command_line(const Refusal& refusal) {
  std::string line = refusal.line;
  if (line.starts_with("+")) line = kTrain + ("--id id " + line.substr(1));
  return words(line);
}

/// One line; or one line followed by an expression with a caret under the character at fault, or by
/// at most three problems of a file, one each line, and the command that lists all.
void expect_one_sentence(const std::string& message) {
  ASSERT_TRUE(message.starts_with("kernmix: ")) << message;
  ASSERT_TRUE(message.ends_with("\n")) << message;
  const auto lines = std::count(message.begin(), message.end(), '\n');
  if (lines == 1) return;
  if (message.find("\n  line ") != std::string::npos) {
    EXPECT_LE(lines, 5) << message;
    EXPECT_NE(message.find("` lists all problems of the file\n"), std::string::npos) << message;
    return;
  }
  EXPECT_EQ(lines, 3) << message;
  EXPECT_NE(message.find('^'), std::string::npos) << message;
}

class Refusals : public ::testing::TestWithParam<Refusal> {};

TEST_P(Refusals, AreOneSentenceWithTheRightCode) {
  const Refusal& refusal = GetParam();
  const Folder folder;
  folder.write("GOOD.csv", good_csv());
  folder.write("NUMBERS.csv", "5.1,3.5,no\n4.9,3.0,yes\n");
  folder.write("GOOD.libsvm", "1 1:0.5\n");
  folder.write("BAD", refusal.file);
  folder.write("run.json",
               R"({"command": "train", "relative_gap": 1, "weights": [], "settings": {}})");
  const std::vector<std::string> before = folder.names();
  const ToolRun run = run_tool(folder, command_line(refusal));
  EXPECT_EQ(run.code, refusal.code) << run.err;
  EXPECT_EQ(run.out, "");
  expect_one_sentence(run.err);
  for (const std::string& fragment : refusal.fragments) {
    EXPECT_NE(run.err.find(fragment), std::string::npos) << fragment << " not in: " << run.err;
  }
  EXPECT_EQ(folder.names(), before);
}

/// Twelve rows: ones on the diagonal, -1 elsewhere, with the eigenvalues 2 and -10.
const std::string kIndefinite = [] {
  std::string text;
  for (int i = 0; i < 12; ++i) {
    for (int j = 0; j < 12; ++j) text += std::string(i == j ? "1" : "-1") + (j < 11 ? "," : "\n");
  }
  return text;
}();

const std::string kDeepJson = "{\"a\":" + std::string(200000, '[') + std::string(200000, ']') + "}";

// A line that begins with + continues `train GOOD.csv --label y -o m.kmx --id id`.
const std::vector<Refusal> kUsage = {
    {"no_command", "", 2, {"a command is missing", "train, predict"}},
    {"unknown_command", "trian x.csv", 2, {"unknown command 'trian'", "did you mean 'train'?"}},
    {"unknown_option", "+--regulariser l1", 2, {"--regulariser", "did you mean '--regularizer'?"}},
    {"option_of_one_letter", "+-x", 2, {"unknown option '-x'; see kernmix train --help"}},
    {"option_of_other_commands",
     "auto GOOD.csv --label y -C 10 -o out",
     2,
     {"unknown option '-C', which is an option of kernmix train, ", "; see kernmix auto --help"}},
    {"option_of_training",
     "verify m.kmx GOOD.csv --label y --na x",
     2,
     {"unknown option '--na': it is an option of training, and the model has its value"}},
    {"option_of_commands_with_a_model",
     "predict m.kmx GOOD.csv --sample-weight a",
     2,
     {"unknown option '--sample-weight', which is an option of kernmix "}},
    {"cost_of_default_grid",
     "tune GOOD.csv --label y --id id -C 10 -o m.kmx",
     2,
     {"-C: tune chooses C", "--grid C=VALUES"}},
    {"cost_and_grid",
     "tune GOOD.csv --label y --id id -C 10 --grid C=1,10 -o m.kmx",
     2,
     {"-C and --grid C: both give the values of C"}},
    {"scheme_unknown",
     "+--multiclass ovo",
     2,
     {"--multiclass: the scheme of several classes must be one-vs-rest, one-vs-one or joint"}},
    {"output_of_cv", "cv GOOD.csv --label y -o cv.json", 2, {"unknown option '-o'", "with --json"}},
    {"option_without_value", "train GOOD.csv --label y -o", 2, {"-o", "needs a value"}},
    {"option_before_option",
     "train GOOD.csv --label y --calibrate -o m.kmx",
     2,
     {"option --calibrate needs a value", "before the option -o"}},
    {"landmark_file_auto",
     "auto GOOD.csv --label y --id id --landmarks none.txt -o r",
     3,
     {"kernmix: none.txt: no such file"}},
    {"landmark_file_cv",
     "cv GOOD.csv --label y --id id --landmarks none.txt",
     3,
     {"kernmix: none.txt: no such file"}},
    {"threads_empty", "+--threads ''", 2, {"--threads", "needs a value"}},
    {"memory_empty", "+--memory ''", 2, {"--memory", "needs a value"}},
    {"option_twice", "+-C 1 -C 2", 2, {"--cost", "more than once"}},
    {"no_data", "train --label y -o m.kmx", 2, {"DATA is missing"}},
    {"no_output", "train GOOD.csv --label y", 2, {"-o is missing"}},
    {"output_is_stdout", "train GOOD.csv --label y -o -", 2, {"-o", "file name"}},
    {"output_folder_missing",
     "train GOOD.csv --label y -o no/such/m.kmx",
     2,
     {"-o", "'no/such'", "does not exist"}},
    {"output_is_folder", "train GOOD.csv --label y -o .", 2, {"-o", "is a folder"}},
    {"output_is_input", "train GOOD.csv --label y -o GOOD.csv", 2, {"-o", "also an input"}},
    {"outputs_collide", "+--json m.kmx", 2, {"-o and --json both name 'm.kmx'"}},
    {"json_folder_missing", "+--json no/run.json", 2, {"--json", "does not exist"}},
    {"model_missing", "predict", 2, {"MODEL is missing"}},
    {"inspect_nothing", "inspect", 2, {"FILE is missing"}},
    {"report_nothing", "report -o r.html", 2, {"RUN.json is missing"}},
    {"report_no_output", "report run.json", 2, {"-o is missing"}},
    {"auto_no_output", "auto GOOD.csv --label y", 2, {"-o is missing", "folder"}},
    {"auto_output_is_file", "auto GOOD.csv --label y -o GOOD.csv", 2, {"-o: 'GOOD.csv' is a file"}},
    {"auto_no_label", "auto GOOD.csv -o out", 3, {"GOOD.csv", "--label y if these are the labels"}},
    {"auto_folder_missing", "auto GOOD.csv --label y -o no/such", 2, {"-o", "'no' does not exist"}},
    {"auto_kernel",
     "auto GOOD.csv --label y --id id --folds 2 --kernel rbff -o out",
     2,
     {"kernmix: kernel expression", "did you mean 'rbf'?"}},
    {"tune_kernel",
     "tune GOOD.csv --label y --id id --folds 2 --kernel rbff -o m.kmx",
     2,
     {"kernmix: kernel expression", "did you mean 'rbf'?"}},
    {"tune_kernel_of_the_grid",
     "tune GOOD.csv --label y --id id --folds 2 --grid kernel=linear,'rbf on no' -o m.kmx",
     2,
     {"kernmix: --grid (kernel=rbf on no): kernel expression", "unknown view 'no'"}},
    {"cv_kernel",
     "cv GOOD.csv --label y --id id --folds 2 --also 'other: --kernel \"rbf on no\"'",
     2,
     {"kernmix: --also 'other': kernel expression", "unknown view 'no'"}},
    {"auto_few_samples", "auto GOOD.csv --label y --id id --folds 9 -o out", 2, {"folds"}},
    {"list_topic", "list kernel", 2, {"unknown topic 'kernel'", "did you mean 'kernels'?"}},
    {"list_surplus", "list kernels losses", 2, {"unexpected argument 'losses'"}},
};

const std::vector<Refusal> kParameters = {
    {"C_negative", "+-C -1", 2, {"-C must be a number > 0", "'-1'"}},
    {"C_zero", "+-C 0", 2, {"-C must be a number > 0"}},
    {"C_too_large", "+-C 1e300", 2, {"-C must be a number from 1e-50 to 1e+50", "'1e300'"}},
    {"C_too_small", "+-C 1e-160", 2, {"-C must be a number from 1e-50 to 1e+50"}},
    {"eps_too_large", "+--loss epsilon:eps=1e60", 2, {"eps must be 0 or lie in [1e-50, 1e+50]"}},
    {"lambda_too_small",
     "+--regularizer l1-unsquared:lambda=1e-51",
     2,
     {"lambda must lie in [1e-50, 1e+50]"}},
    {"C_text", "+-C ten", 2, {"-C must be a number > 0", "'ten'"}},
    {"C_nan", "+-C nan", 2, {"-C must be a number > 0"}},
    {"tolerance_zero", "+--tolerance 0", 2, {"tolerance must be"}},
    {"tolerance_above_one", "+--tolerance 2", 2, {"tolerance must be > 0 and < 1"}},
    {"iterations_zero", "+--max-iterations 0", 2, {"--max-iterations must be a whole number >= 1"}},
    {"strategy", "+--without levels", 2, {"unknown strategy 'levels'", "known are earlier-answer"}},
    {"strategy_of_newton",
     "+--solver silp --without cuts",
     2,
     {"without cuts: it is a strategy of newton, but the solver is silp"}},
    {"regularizer_unknown", "+--regularizer l3", 2, {"l3"}},
    {"regularizer_p_below_one", "+--regularizer lp:p=0.5", 2, {"p must be >= 1"}},
    {"fixed_negative", "+--regularizer fixed:1,-1", 2, {"fixed"}},
    {"fixed_wrong_count", "+--regularizer fixed:1,2,3", 2, {"fixed", "3", "5"}},
    {"soft_margin_theta_too_small",
     "+--regularizer soft-margin:theta=0.05",
     2,
     {"infeasible: theta must be >= 1/M, got 0.05 for 5 kernels"}},
    {"loss_unknown", "+--loss hing", 2, {"hing", "hinge"}},
    {"loss_argument", "+--loss squared:2", 2, {"squared"}},
    {"nu_above_one", "+--loss one-class:nu=2", 2, {"nu must be >= 1e-50 and <= 1"}},
    {"C_beside_nu", "+--loss one-class:nu=0.5 -C 2", 2, {"has no C but nu"}},
    {"bias_beside_threshold",
     "+--loss one-class:nu=0.5 --bias none",
     2,
     {"has a threshold of its own: the bias must be free"}},
    {"calibration_method",
     "+--calibrate sigmoid",
     2,
     {"must be none, platt, isotonic or beta, got 'sigmoid'"}},
    {"calibration_of_numbers",
     "train GOOD.csv --label a --loss squared --calibrate platt -o m.kmx",
     2,
     {"--calibrate gives probabilities of classes and labels, which --loss squared does not "
      "learn"}},
    {"calibration_folds", "+--calibrate platt --calibration-folds 1", 2, {"--calibration-folds"}},
    {"calibration_folds_beyond_a_class",
     "+--calibrate platt --calibration-folds 7",
     3,
     {"calibration: 6 samples are of class 'no', fewer than the 7 folds"}},
    {"calibration_beside_thresholds",
     "train GOOD.csv --labels a,b --threshold-folds 3 --calibrate platt -o m.kmx",
     2,
     {"--threshold-folds and --calibrate decide labels differently"}},
    {"explain_top", "explain m.kmx GOOD.csv --top 0", 2, {"--top"}},
    {"class_weight_of_novelty",
     "+--loss one-class:nu=0.5 --class-weight yes=2",
     2,
     {"--class-weight needs a loss of two classes"}},
    {"nothing_to_learn_from", "train --loss one-class:nu=0.5 -o m.kmx", 2, {"DATA is missing"}},
    {"unsolvable_pair",
     "+--loss one-class:nu=0.5 --regularizer l1-unsquared:lambda=1",
     2,
     {"has no solution"}},
    {"weights_of_svdd",
     "+--loss svdd:nu=0.5 --regularizer lp:p=2",
     2,
     {"svdd:nu=0.5 needs kernel weights that sum to 1, and those of lp:p=2 need not sum to 1"}},
    {"solver_of_svdd",
     "+--loss svdd:nu=0.5 --solver alternating",
     2,
     {"does not take loss svdd:nu=0.5", "positive semidefinite kernels"}},
    {"bias_of_solver",
     "+--solver ufo --regularizer ufo:lambda=1,alpha=0.1",
     2,
     {"solver ufo needs bias none, got free"}},
    {"bias_unknown", "+--bias zero", 2, {"unknown bias rule 'zero'", "free, none, penalised"}},
    {"class_weight_of_regression",
     "+--loss squared --class-weight yes=2",
     2,
     {"--class-weight needs a loss of two classes, not squared", "--sample-weight"}},
    {"balanced_regression",
     "+--loss squared --class-weight balanced",
     2,
     {"--class-weight needs a loss of two classes"}},
    {"positive_of_regression",
     "+--loss squared --positive yes",
     2,
     {"--positive needs a loss of two classes, not squared"}},
    {"solver_unknown", "+--solver fast", 2, {"unknown solver 'fast'", "newton"}},
    {"scale_unknown", "+--scale unit", 2, {"--scale", "unit", "standard"}},
    {"scale_twice", "+--scale none --scale minmax", 2, {"--scale", "none", "minmax"}},
    {"scale_of_view_twice",
     "+--scale data=none --scale data=minmax",
     2,
     {"--scale", "two rules", "'data'"}},
    {"scale_of_unknown_view",
     "+--view left=a --view right=b --scale lefr=none",
     2,
     {"--scale", "'lefr'", "did you mean 'left'?"}},
    {"scale_of_unknown_view_before_reading",
     "train NO-SUCH.csv --label y -o m.kmx --view left=a --scale right=none",
     2,
     {"--scale", "'right'"}},
    {"scale_of_unknown_default_view", "+--scale dta=none", 2, {"'dta'", "did you mean 'data'?"}},
    {"scale_without_view", "+--scale =none", 2, {"--scale", "no view"}},
    {"scale_without_rule", "+--scale data=", 2, {"--scale", "''"}},
    {"normalize_unknown", "+--normalize diag", 2, {"diag", "trace"}},
    {"class_weight_form", "+--class-weight yes", 2, {"--class-weight must be NAME=VALUE"}},
    {"class_weight_negative",
     "+--class-weight yes=-2",
     2,
     {"--class-weight yes must be a number > 0"}},
    {"class_weight_twice", "+--class-weight yes=2 --class-weight yes=3", 2, {"given twice"}},
    {"class_weight_unknown", "+--class-weight maybe=2", 2, {"'maybe'", "'no' and 'yes'"}},
    {"class_weight_mixed", "+--class-weight balanced --class-weight yes=3", 2, {"balanced"}},
    {"threads_zero", "+--threads 0", 2, {"--threads must be a whole number >= 1"}},
    {"seed_negative", "+--seed -3", 2, {"--seed must be a whole number >= 0"}},
    {"memory_text", "+--memory lots", 2, {"--memory must be a size such as 500M or 4G"}},
    {"time_limit_text", "+--time-limit soon", 2, {"--time-limit must be a duration"}},
    {"format_unknown", "+--format xlsx", 2, {"--format must be csv, tsv, libsvm, arff or npy"}},
    {"kernel_unknown", "+--kernel 'rfb(gamma=1)'", 2, {"rfb", "rbf"}},
    {"kernel_gamma_negative", "+--kernel 'rbf(gamma=-1)'", 2, {"gamma"}},
    {"kernel_syntax", "+--kernel 'rbf(gamma=1 on data'", 2, {"rbf(gamma=1 on data", "^"}},
    {"kernel_view_unknown", "+--kernel 'linear on nowhere'", 2, {"nowhere"}},
    {"view_unknown_column", "+--view v=a,zz", 2, {"zz"}},
    {"view_form", "+--view =a", 2, {"--view", "name cannot be ''"}},
    {"view_empty", "+--view v=", 2, {"v"}},
    {"view_nothing_matches", "+--view 'v=q*'", 2, {"q*"}},
    {"sample_weight_unknown", "+--sample-weight w", 2, {"--sample-weight", "no column 'w'"}},
    {"sample_weight_negative",
     "train BAD --label y --sample-weight w -o m.kmx",
     3,
     {"the weight of sample", "in column 'w' is -1", "numbers >= 0"},
     "y,a,w\nno,1,1\nyes,2,-1\nno,3,1\nyes,5,1\n"},
    {"config_unknown_key",
     "+--config BAD",
     2,
     {"BAD:2: unknown key 'lable'", "did you mean 'label'?"},
     "C = 1\nlable = 'y'\n"},
    {"config_wrong_type", "+--config BAD", 2, {"BAD:1:", "'quiet'"}, "quiet = 3\n"},
    {"config_not_toml", "+--config BAD", 3, {"BAD:1: not TOML"}, "C ="},
    {"config_missing", "+--config no.toml", 3, {"--config", "no.toml", "no such file"}},
};

const std::vector<Refusal> kData = {
    {"header_is_a_sample",
     "train NUMBERS.csv --label 3 -o m.kmx",
     3,
     {"NUMBERS.csv:1:", "the number 5.1", "--no-header"}},
    {"no_header_of_libsvm", "inspect GOOD.libsvm --no-header", 2, {"--no-header is for CSV"}},
    {"inspect_of_models",
     "inspect BAD BAD",
     2,
     {"BAD is a model, and several files are data that are joined: inspect it alone"},
     "KERNMIX\n"},
    {"model_after_data",
     "predict GOOD.csv BAD",
     3,
     {"GOOD.csv is not a model, and BAD is one: write the model before the data"},
     "KERNMIX\n"},
    {"file_missing", "train no.csv --label y -o m.kmx", 3, {"no.csv"}},
    {"file_empty", "train BAD --label y -o m.kmx", 3, {"BAD"}},
    {"label_unknown", "train GOOD.csv --label z --id id -o m.kmx", 3, {"no label column \'z\'"}},
    {"label_absent", "train GOOD.csv --ignore y --id id -o m.kmx", 3, {"label"}},
    {"id_unknown", "train GOOD.csv --label y --id key -o m.kmx", 3, {"no id column \'key\'"}},
    {"text_column", "train GOOD.csv --label y -o m.kmx", 3, {"GOOD.csv:2:", "'id'"}},
    {"positive_unknown", "+--positive maybe", 2, {"maybe"}},
    {"text_for_regression",
     "+--loss squared",
     3,
     {"GOOD.csv: sample 1: label 'no' is not a finite number, as regression needs; most labels are "
      "words: use a loss of classes"}},
    {"number_missing_for_regression",
     "train BAD --label y --loss squared -o m.kmx",
     3,
     {"BAD"},
     "y,a\n1,2\n,3\n2,4\n"},
    {"no_label_for_regression",
     "train GOOD.csv --ignore y --id id --loss squared -o m.kmx",
     3,
     {"has no labels; name the label column"}},
    {"one_class", "train BAD --label y -o m.kmx", 3, {"class"}, "y,a\n1,2\n1,3\n1,4\n"},
    {"one_number",
     "tune BAD --label y --loss squared --folds 2 --grid C=1,10 -o m.kmx",
     3,
     {"no candidate has the score r2 on any fold", "one class or one value"},
     "y,a\n7,2\n7,3\n7,4\n7,5\n"},
    {"three_classes", "train BAD --label y -o m.kmx", 3, {"3"}, "y,a\n1,2\n2,3\n3,4\n"},
    {"missing_value", "train BAD --label y -o m.kmx", 3, {"BAD:3:", "a"}, "y,a\n1,2\n2,\n"},
    {"not_a_number", "train BAD --label y -o m.kmx", 3, {"BAD:2:", "a"}, "y,a\n1,x\n2,3\n"},
    {"infinite_value", "train BAD --label y -o m.kmx", 3, {"BAD:2:"}, "y,a\n1,inf\n2,3\n"},
    {"ragged_row", "train BAD --label y -o m.kmx", 3, {"BAD:3:"}, "y,a,b\n1,2,3\n2,3\n"},
    {"column_without_name",
     "train BAD --label y -o m.kmx",
     3,
     {"BAD", "2"},
     "y,,a\n1,2,3\n2,3,4\n"},
    {"duplicate_id",
     "train BAD --label y --id i -o m.kmx",
     3,
     {"BAD", "s1"},
     "i,y,a\ns1,1,2\ns1,2,3\n"},
    {"nothing_joins",
     "train GOOD.csv BAD --label y --id id -o m.kmx",
     3,
     {"BAD"},
     "id,c\nx1,1\nx2,2\n"},
    {"unclosed_quote", "train BAD --label y -o m.kmx", 3, {"BAD:2:"}, "y,a\n1,\"2\n2,3\n"},
    {"header_only", "train BAD --label y -o m.kmx", 3, {"BAD"}, "y,a\n"},
    {"arff_header",
     "train BAD --label y -o m.kmx",
     3,
     {"BAD:2:", "'@column'"},
     "@relation r\n@column a real\n"},
    {"arff_missing",
     "train BAD --label y -o m.kmx",
     3,
     {"BAD:5: column 'a'", "missing value"},
     "@relation r\n@attribute a real\n@attribute y {p,q}\n@data\n?,p\n1,q\n"},
    {"arff_nominal",
     "train BAD --label y -o m.kmx",
     3,
     {"BAD", "nominal with 3 values"},
     "@relation r\n@attribute a {r,g,b}\n@attribute y {p,q}\n@data\nr,p\n"},
    {"libsvm_index", "train BAD --format libsvm -o m.kmx", 3, {"BAD:1:"}, "1 0:2\n-1 1:3\n"},
    {"libsvm_repeated", "train BAD --format libsvm -o m.kmx", 3, {"BAD:1:"}, "1 2:2 2:1\n-1 1:3\n"},
    {"gram_missing", "+--gram no.npy", 3, {"no.npy"}},
    {"gram_wrong_size",
     "train GOOD.csv --label y --ignore id,a,b --gram BAD -o m.kmx",
     3,
     {"BAD", "12"},
     "1,0\n0,1\n"},
    {"gram_indefinite",
     "train GOOD.csv --label y --ignore id,a,b --gram BAD -o m.kmx",
     3,
     {"is not positive semidefinite", "smallest eigenvalue is -"},
     kIndefinite},
    {"gram_not_npy", "+--gram BAD", 3, {"BAD"}, "\x93NUMPY"},
    {"model_not_there", "predict no.kmx GOOD.csv", 3, {"no.kmx"}},
    {"model_is_csv", "predict GOOD.csv GOOD.csv", 3, {"GOOD.csv", "not a kernmix file"}},
    {"model_truncated", "inspect BAD", 3, {"BAD"}, "KERNMIX\n\x01"},
    {"report_not_json", "report BAD -o r.html", 3, {"BAD:1: not JSON"}, "{"},
    {"report_not_a_run", "report BAD -o r.html", 3, {"BAD", "kernmix train --json"}, "[1]"},
    {"report_bad_evaluation",
     "report run.json --evaluation run.json -o r.html",
     3,
     {"kernmix evaluate --json"}},
    {"alphas_of_data", "inspect BAD --alphas a.csv", 2, {"--alphas", "not a model"}, "a,y\n1,2\n"},
    {"inspect_not_there", "inspect no.csv", 3, {"no.csv"}},
    {"json_nested_deeply", "inspect BAD", 3, {"BAD", "more than 64 levels"}, kDeepJson},
    {"json_beyond_double",
     "inspect BAD",
     3,
     {"BAD", "outside the range of double"},
     "{\"a\": 1e999}"},
    {"config_is_folder", "+--config .", 3, {"--config", "is a folder"}},
};

const std::vector<Refusal> kResources = {
    {"memory_too_small", "+--memory 1K", 4, {"1"}},
};

std::string case_name(const ::testing::TestParamInfo<Refusal>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Usage, Refusals, ::testing::ValuesIn(kUsage), case_name);
INSTANTIATE_TEST_SUITE_P(Parameters, Refusals, ::testing::ValuesIn(kParameters), case_name);
INSTANTIATE_TEST_SUITE_P(Data, Refusals, ::testing::ValuesIn(kData), case_name);
INSTANTIATE_TEST_SUITE_P(Resources, Refusals, ::testing::ValuesIn(kResources), case_name);

}  // namespace
}  // namespace kernmix::test
