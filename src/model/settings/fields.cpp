// The settings of training: to add one, write its row here and use its member of TrainOptions.

#include <fmt/format.h>

#include <algorithm>

#include "base/errors_at.hpp"
#include "base/text.hpp"
#include "kernmix/calibration.hpp"
#include "kernmix/error.hpp"
#include "kernmix/settings.hpp"
#include "model/settings/number_text.hpp"

namespace kernmix {
namespace {

using Texts = std::vector<std::string>;

constexpr const char* kKernels = "Kernels";
constexpr const char* kProblem = "Problem";
constexpr const char* kTasks = "Many classes, labels or targets";
constexpr const char* kProbabilities = "Probabilities of classes and labels";
constexpr const char* kSolver = "Solver";
constexpr const char* kDevelopers = "For developers";

constexpr ModelKinds kOfClasses{true, false, false, false};
constexpr ModelKinds kOfLabels{false, true, false, false};
constexpr ModelKinds kOfClassesOrLabels{true, true, false, false};
constexpr ModelKinds kOfProducts{true, false, true, false};
constexpr ModelKinds kOfTargets{true, true, true, false};

/// A message that begins with the name of the setting. \throws ParameterError
template <typename Read>
auto named(const std::string& called, Read read) -> decltype(read()) {
  try {
    return read();
  } catch (const ParameterError& error) {
    const std::string what = error.what();
    const std::string bare = called.substr(std::min(called.find_first_not_of('-'), called.size()));
    if (!what.starts_with(bare + " ")) throw ParameterError(fmt::format("{}: {}", called, what));
    throw ParameterError(called + what.substr(bare.size()));
  }
}

/// \throws ParameterError for a text that is not one of the words
std::string one_of(const std::string& called, const Texts& words, const std::string& text) {
  if (std::ranges::find(words, text) != words.end()) return text;
  throw ParameterError(fmt::format("{} must be one of {}, got {}{}", called, comma_list(words),
                                   in_quotes(text), did_you_mean(text, words)));
}

void set_class_weights(TrainOptions& options, const Texts& texts, const std::string& called) {
  options.class_weights.clear();
  options.balanced_classes = std::ranges::find(texts, "balanced") != texts.end();
  if (options.balanced_classes && texts.size() > 1) {
    throw ParameterError(fmt::format("{}: balanced cannot be combined with other weights", called));
  }
  for (const std::string& text : options.balanced_classes ? Texts() : texts) {
    // Data can have the class "", which nobody can name on a command line.
    const auto [label, weight] = text.starts_with('=')
                                     ? std::pair<std::string, std::string>{"", text.substr(1)}
                                     : assignment(called, text);
    const double factor = positive_number(called + " " + label, weight);
    if (!options.class_weights.emplace(label, factor).second) {
      throw ParameterError(fmt::format("{}: class {} was given twice", called, in_quotes(label)));
    }
  }
}

Texts class_weight_texts(const TrainOptions& options) {
  if (options.balanced_classes) return {"balanced"};
  Texts texts;
  for (const auto& [label, weight] : options.class_weights) {
    texts.push_back(fmt::format("{}={}", label, weight));
  }
  return texts;
}

/// Completes the row of a whole number >= least. \param member  of the options
template <typename Member>
Field whole_field(Field row, const ModelKinds& models, Index least, Member member) {
  row.models = models;
  row.form = SettingForm::whole;
  row.least = least;
  row.texts = [member](const TrainOptions& o) { return Texts{fmt::format("{}", member(o))}; };
  row.set = [member, least](TrainOptions& o, const Texts& texts, const std::string& called) {
    member(o) = whole_number(called, texts.front(), least);
  };
  return row;
}

std::vector<Field> kernel_fields() {
  const auto kind = SettingKind::kernels;
  return {
      {"kernels", "--kernel", "EXPR", kKernels,
       fmt::format("Base kernels, for example 'rbf(width=median*2^-1..2^1) on color, each', where "
                   "median is the median distance of the training samples; see kernmix list "
                   "kernels for the language; may be repeated [default: {} on every view, for "
                   "regression {}, and in addition a linear kernel with cosine normalization on "
                   "sparse views; every Gram matrix is one kernel]",
                   default_kernels, default_kernels_of_numbers),
       kind, SettingForm::list, [](const TrainOptions& o) { return o.kernels; },
       [](TrainOptions& o, const Texts& texts, const std::string&) { o.kernels = texts; }},
      {"normalization", "--normalize", "RULE", kKernels,
       "Normalization of kernels without a normalize=RULE of their own: variance, trace, "
       "unit-trace, cosine, center or none; + joins several [default: variance; trace with --loss "
       "one-class and with --bias none or penalised]",
       kind, SettingForm::text,
       [](const TrainOptions& o) {
         return o.normalization ? Texts{o.normalization->text()} : Texts();
       },
       [](TrainOptions& o, const Texts& texts, const std::string& called) {
         o.normalization = named(called, [&] { return parse_normalization_choice(texts.front()); });
       }},
      {"combination", "--combination", "FORM", kKernels,
       "Combination of the kernels: sum, or product: one product of Gaussian kernels whose widths "
       "are learned (generalised MKL), for two classes or regression with one target. The weights "
       "of a product are a local optimum",
       kind, SettingForm::text,
       [](const TrainOptions& o) {
         return Texts{o.combination == Combination::product ? "product" : "sum"};
       },
       [](TrainOptions& o, const Texts& texts, const std::string& called) {
         const bool product = one_of(called, {"sum", "product"}, texts.front()) == "product";
         o.combination = product ? Combination::product : Combination::sum;
       },
       kOfProducts},
      {"scaling", "--scale", "[VIEW=]RULE", kKernels,
       "Scaling of the columns of all views or of one view: standard, minmax, common (one divisor "
       "for all columns of a view), sqrt, sqrt+standard, none, or auto, which chooses a rule for "
       "each view from its values; may be repeated [default: auto]",
       kind, SettingForm::list,
       [](const TrainOptions& o) {
         return o.scaling == ScalingChoice() ? Texts() : scaling_texts(o.scaling);
       },
       [](TrainOptions& o, const Texts& texts, const std::string& called) {
         o.scaling = named(called, [&] { return parse_scaling(texts); });
       }},
      {"missing", "--missing", "RULE", kKernels,
       "Missing cells: refuse (an error), mean or median (the mean or median of the column's "
       "training samples takes their place), mean+indicator or median+indicator (the same, and "
       "a view called missing with one indicator for each column with missing cells; its weight "
       "shows whether such cells are informative)",
       kind, SettingForm::text,
       [](const TrainOptions& o) { return Texts{missing_rule_name(o.missing)}; },
       [](TrainOptions& o, const Texts& texts, const std::string& called) {
         o.missing = named(called, [&] { return parse_missing_rule(texts.front()); });
       }},
      {"absent", "--absent", "RULE", kKernels,
       "What to do with a sample that lacks a whole view (empty cells in all its columns, no row "
       "in its matrix, or an id that its file does not have): keep (use its other views; the "
       "absent view counts with its mean, and new samples may lack the view as well), drop (leave "
       "the sample out) or refuse (an error)",
       kind, SettingForm::text,
       [](const TrainOptions& o) { return Texts{absent_rule_name(o.absent)}; },
       [](TrainOptions& o, const Texts& texts, const std::string& called) {
         o.absent = named(called, [&] { return parse_absent_rule(texts.front()); });
       }},
      {"assume_psd", "--assume-psd", "", kKernels,
       "Do not test whether given matrices, and other kernels that may be indefinite, are positive "
       "semidefinite; the certificate is valid only if they are",
       kind, SettingForm::toggle,
       [](const TrainOptions& o) { return Texts{o.assume_psd ? "true" : "false"}; },
       [](TrainOptions& o, const Texts& texts, const std::string& called) {
         o.assume_psd = truth(called, texts.front());
       }},
      {"landmarks", "--landmarks", "auto|none|R|FILE", kKernels,
       "Landmarks: R samples by randomly pivoted Cholesky, or the samples whose ids are in FILE, "
       "one per line. Every kernel is replaced by its Nystroem kernel of the landmarks, so that "
       "time and memory are linear in the number of samples. none: exact kernels. auto: exact "
       "kernels if there are fewer than 4,000 samples, or if all kernels fit into the memory "
       "budget, or if their sum does and there are at most 10,000 samples; otherwise at most 1,000 "
       "landmarks, as many as memory and time allow",
       kind, SettingForm::text_or_whole,
       [](const TrainOptions& o) { return Texts{o.landmarks.text()}; },
       [](TrainOptions& o, const Texts& texts, const std::string& called) {
         o.landmarks = named(called, [&] { return parse_landmarks(texts.front()); });
       }},
      {"repair", "--repair", "RULE", kKernels,
       "Repair of indefinite Gram and distance matrices: clip (negative eigenvalues become 0), "
       "shift (the smallest eigenvalue becomes 0), flip (negative eigenvalues change sign) or none "
       "(such a matrix is an error); fitted on the training samples and applied to new samples",
       kind, SettingForm::text, [](const TrainOptions& o) { return Texts{repair_name(o.repair)}; },
       [](TrainOptions& o, const Texts& texts, const std::string& called) {
         o.repair = named(called, [&] { return parse_repair(texts.front()); });
       }}};
}

std::vector<Field> problem_fields() {
  const auto kind = SettingKind::problem;
  return {
      {"regularizer", "--regularizer", "REG", kProblem,
       "Regularizer of the kernel weights, for example l1, lp:p=2 or average; see kernmix list "
       "regularizers",
       kind, SettingForm::text,
       [](const TrainOptions& o) { return Texts{regularizer_text(o.regularizer)}; },
       [](TrainOptions& o, const Texts& texts, const std::string&) {
         o.regularizer = texts.front();
       }},
      {"weight_penalty", "--weight-penalty", "FORM", kProblem,
       "With --combination product, the penalty of its weights d_m: linear:lambda=L (L sum d_m, "
       "which makes weights zero) or quadratic:lambda=L (L/2 sum d_m^2)",
       kind, SettingForm::text,
       [](const TrainOptions& o) { return Texts{o.weight_penalty.text()}; },
       [](TrainOptions& o, const Texts& texts, const std::string& called) {
         o.weight_penalty = named(called, [&] { return parse_penalty_rule(texts.front()); });
       },
       kOfProducts},
      {"weight_start", "--weight-start", "NUMBER", kProblem,
       "With --combination product, the initial weight of each kernel; the local optimum depends "
       "on it [default: 1 / number of kernels]",
       kind, SettingForm::number,
       [](const TrainOptions& o) {
         return o.weight_start ? Texts{fmt::format("{}", *o.weight_start)} : Texts();
       },
       [](TrainOptions& o, const Texts& texts, const std::string& called) {
         o.weight_start = number_in_range(called, texts.front());
       },
       kOfProducts},
      {"loss", "--loss", "LOSS", kProblem,
       "Loss, which determines the kind of model: for example hinge for classes or squared for "
       "numbers; see kernmix list losses",
       kind, SettingForm::text, [](const TrainOptions& o) { return Texts{loss_text(o.loss)}; },
       [](TrainOptions& o, const Texts& texts, const std::string&) { o.loss = texts.front(); }},
      {"C", "-C,--cost", "NUMBER", kProblem,
       "Weight of the loss, from 1e-50 to 1e50; not used by losses with a parameter nu [default: "
       "10 for classes and labels, otherwise 1]",
       kind, SettingForm::number,
       [](const TrainOptions& o) { return o.C ? Texts{fmt::format("{}", *o.C)} : Texts(); },
       [](TrainOptions& o, const Texts& texts, const std::string& called) {
         o.C = number_in_range(called == "-C,--cost" ? "-C" : called, texts.front());
       },
       kOfTargets},
      {"bias", "--bias", "RULE", kProblem,
       "Bias b: free, none (b = 0) or penalised (1/2 b^2 is added to the objective)", kind,
       SettingForm::text, [](const TrainOptions& o) { return Texts{bias_name(o.bias)}; },
       [](TrainOptions& o, const Texts& texts, const std::string&) {
         o.bias = parse_bias(texts.front());
       }},
      {"class_weights", "--class-weight", "LABEL=W", kProblem,
       "Factor of C for one class, or balanced: n / (K n_class) with K classes; may be repeated "
       "[default: 1 for every class]",
       kind, SettingForm::shares, class_weight_texts, set_class_weights, kOfClasses},
      {"positive", "--positive", "LABEL", kProblem,
       "The positive class of two [default: the larger number, or the last label in the order of "
       "bytes]",
       kind, SettingForm::text,
       [](const TrainOptions& o) { return o.positive.empty() ? Texts() : Texts{o.positive}; },
       [](TrainOptions& o, const Texts& texts, const std::string&) { o.positive = texts.front(); },
       kOfClasses},
      {"scheme", "--multiclass", "SCHEME", kTasks,
       "Reduction of more than two classes: one-vs-rest, one-vs-one, or joint (one problem for all "
       "classes) [default: one-vs-rest]",
       kind, SettingForm::text,
       [](const TrainOptions& o) { return o.scheme ? Texts{scheme_name(*o.scheme)} : Texts(); },
       [](TrainOptions& o, const Texts& texts, const std::string& called) {
         o.scheme = errors_at(called, [&] { return parse_scheme(texts.front()); });
       },
       kOfClasses},
      {"coupling", "--sharing", "FORM", kTasks,
       "Kernel weights of several tasks: sum (common weights that minimise the sum of the "
       "objectives), minimax (common weights that minimise the largest objective) or separate "
       "(weights of its own for each task) [default: sum]",
       kind, SettingForm::text,
       [](const TrainOptions& o) { return o.coupling == "sum" ? Texts() : Texts{o.coupling}; },
       [](TrainOptions& o, const Texts& texts, const std::string& called) {
         o.coupling = one_of(called, {"sum", "minimax", "separate"}, texts.front());
       },
       kOfTargets}};
}

std::vector<Field> after_fields() {
  const auto kind = SettingKind::after;
  return {
      whole_field(
          {"threshold_folds", "--threshold-folds", "N", kTasks,
           "With --labels: number of cross-fitting folds. The threshold of each label is the one "
           "with the largest F1 on held-out decision values; with 0 folds all thresholds are 0",
           kind},
          kOfLabels, 0, [](auto& o) -> auto& { return o.threshold_folds; }),
      {"calibration", "--calibrate", "METHOD", kProbabilities,
       "Fit probabilities to held-out decision values: platt, isotonic (for a thousand samples "
       "or more), beta or none; labels are then predicted from the probabilities",
       kind, SettingForm::text,
       [](const TrainOptions& o) { return Texts{calibration_name(o.calibration)}; },
       [](TrainOptions& o, const Texts& texts, const std::string&) {
         o.calibration = parse_calibration(texts.front());
       },
       kOfClassesOrLabels},
      whole_field(
          {"calibration_folds", "--calibration-folds", "K", kProbabilities,
           "Number of cross-fitting folds for calibration", kind},
          kOfClassesOrLabels, 2, [](auto& o) -> auto& { return o.calibration_folds; })};
}

std::vector<Field> solver_fields() {
  const auto kind = SettingKind::solver;
  return {
      {"certificate", "--certificate", "KERNELS", kSolver,
       "Kernels for which bounds are reported when landmarks are used: landmarks (the approximate "
       "kernels, for which the tolerance is met) or exact (also the exact kernels; this evaluates "
       "S^2/2 entries of each kernel for S support vectors, and is left out with a warning if time "
       "does not suffice)",
       SettingKind::after, SettingForm::text,
       [](const TrainOptions& o) { return Texts{o.exact_certificate ? "exact" : "landmarks"}; },
       [](TrainOptions& o, const Texts& texts, const std::string& called) {
         o.exact_certificate = one_of(called, {"landmarks", "exact"}, texts.front()) == "exact";
       }},
      {"solver", "--solver", "SOLVER", kSolver,
       "auto, or a solver that supports the regularizer and the loss; see kernmix list solvers",
       kind, SettingForm::text, [](const TrainOptions& o) { return Texts{o.solver.solver}; },
       [](TrainOptions& o, const Texts& texts, const std::string&) {
         o.solver.solver = texts.front();
       }},
      {"tolerance", "--tolerance", "NUMBER", kSolver,
       "Relative duality gap at which the solver stops, between 0 and 1", kind, SettingForm::number,
       [](const TrainOptions& o) { return Texts{fmt::format("{}", o.solver.tolerance)}; },
       [](TrainOptions& o, const Texts& texts, const std::string& called) {
         o.solver.tolerance = positive_number(called, texts.front());
       }},
      whole_field(
          {"max_iterations", "--max-iterations", "N", kSolver, "Largest number of outer iterations",
           kind},
          ModelKinds(), 1, [](auto& o) -> auto& { return o.solver.max_iterations; }),
      {"without", "--without", "NAME", kDevelopers,
       "Train without this strategy of the newton solver, to measure its effect; see kernmix "
       "list strategies [default: all strategies are used]",
       kind, SettingForm::list, [](const TrainOptions& o) { return o.solver.without; },
       [](TrainOptions& o, const Texts& texts, const std::string&) { o.solver.without = texts; }}};
}

}  // namespace

const std::vector<Field>& fields() {
  static const std::vector<Field> all = [] {
    std::vector<Field> rows;
    for (auto* part : {kernel_fields, problem_fields, after_fields, solver_fields}) {
      for (Field& field : part()) rows.push_back(std::move(field));
    }
    return rows;
  }();
  return all;
}

}  // namespace kernmix
