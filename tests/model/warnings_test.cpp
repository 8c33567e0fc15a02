#include "model/warnings/warnings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "model/solving/solve_tasks.hpp"
#include "model/toy_tasks.hpp"

namespace kernmix {
namespace {

using Codes = std::set<std::string>;

Codes codes_of(const std::vector<Warning>& warnings) {
  Codes codes;
  for (const Warning& warning : warnings) codes.insert(warning.code);
  return codes;
}

std::vector<Warning> warnings_of(const Dataset& data, const TrainOptions& options) {
  return train(data, options, {}).warnings;
}

TrainOptions with_kernels(std::vector<std::string> kernels) {
  TrainOptions options = toy_options();
  options.kernels = std::move(kernels);
  return options;
}

const Warning* find(const std::vector<Warning>& warnings, const std::string& code) {
  const auto found = std::ranges::find(warnings, code, &Warning::code);
  return found == warnings.end() ? nullptr : &*found;
}

Codes matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  Codes all;
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it) {
    all.insert((*it)[1]);
  }
  return all;
}

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(Warnings, OfEveryCodeAreInTheDocumentation) {
  const std::filesystem::path root = KERNMIX_SOURCE_DIR;
  Codes written;
  for (const auto& file : std::filesystem::directory_iterator(root / "src/model/warnings")) {
    written.merge(matches(text_of(file), R"(warnings\.push_back\(\s*\{\s*"([^"]+)\")"));
  }
  EXPECT_EQ(written.size(), 20U);
  written.insert({"landmarks", "exact-certificate-left-out"});  // of landmarks: training.cpp
  // Of held-out samples: study/expected_text.cpp. Of new samples, and of the columns that auto has.
  written.insert({"no-better-than-majority", "one-class-evaluated", "training-samples-evaluated"});
  written.insert({"far-samples", "incomplete-views", "column-predicts-alone"});
  EXPECT_EQ(written, matches(text_of(root / "docs/reference/warnings.md"), R"(\n\| `([^`]+)` \|)"));
}

TEST(Warnings, AreNotGivenWithoutReason) {
  const Dataset data = toy_data(80, 51);
  EXPECT_EQ(codes_of(warnings_of(data, {})), Codes());
  EXPECT_EQ(codes_of(warnings_of(data, with_kernels({"linear", "poly(degree=2) on all, each",
                                                     "rbf on a, normalize=center+trace"}))),
            Codes());
}

TEST(Warnings, NameKernelsCloseToTheIdentity) {
  const Dataset data = toy_data(80, 52);
  for (const char* rule : {"trace", "none", "cosine", "center+trace"}) {
    TrainOptions options = with_kernels({"linear on a", "rbf(gamma=1e6) on a|b"});
    options.normalization = parse_normalization(rule);
    const auto warnings = warnings_of(data, options);
    const Warning* warning = find(warnings, "kernel-near-identity");
    ASSERT_NE(warning, nullptr) << rule;
    EXPECT_EQ(warning->kernels, (std::vector<Index>{1, 2})) << rule;
    EXPECT_NE(warning->message.find("2 of 3 kernels"), std::string::npos) << warning->message;
    EXPECT_NE(warning->message.find("rbf(gamma=1000000) on a"), std::string::npos);
  }
}

/// The same sample twice is no likeness between samples.
TEST(Warnings, SeeIdentitiesThroughRepeatedSamples) {
  Dataset data = toy_data(80, 53);
  std::ranges::copy(data.table.values.row(2), data.table.values.row(0).begin());
  EXPECT_TRUE(codes_of(warnings_of(data, with_kernels({"linear on a", "rbf(gamma=1e6) on a"})))
                  .contains("kernel-near-identity"));
}

TEST(Warnings, NameKernelsCloseToAConstant) {
  Dataset data = toy_data(80, 54);
  for (Index i = 0; i < 80; ++i) data.table.values(i, 3) = 4.0;
  for (const char* rule : {"variance", "trace", "none", "center+trace"}) {
    TrainOptions options =
        with_kernels({"linear on a", "rbf(gamma=1) on b, each", "linear on b, each"});
    options.normalization = parse_normalization(rule);
    const auto warnings = warnings_of(data, options);
    const Warning* warning = find(warnings, "kernel-near-constant");
    ASSERT_NE(warning, nullptr) << rule;
    EXPECT_EQ(warning->kernels, (std::vector<Index>{1, 3})) << rule;
  }
  TrainOptions wide = with_kernels({"linear on a", "rbf(gamma=1e-7) on a"});
  EXPECT_FALSE(codes_of(warnings_of(data, wide)).contains("kernel-near-constant"));
  wide.normalization = parse_normalization("trace");
  const auto warnings = warnings_of(data, wide);
  ASSERT_NE(find(warnings, "kernel-near-constant"), nullptr);
  EXPECT_EQ(find(warnings, "kernel-near-constant")->kernels, std::vector<Index>{1});
}

TEST(Warnings, SpeakOfManyKernelsOnce) {
  const auto warnings =
      warnings_of(toy_data(60, 55), with_kernels({"rbf(gamma=1e6..1e12) on *, each", "linear"}));
  const auto is_identity = [](const Warning& w) { return w.code == "kernel-near-identity"; };
  ASSERT_EQ(std::ranges::count_if(warnings, is_identity), 1);
  const Warning& warning = *find(warnings, "kernel-near-identity");
  EXPECT_GE(warning.kernels.size(), 20U);
  EXPECT_LE(warning.message.size(), 400U);
  EXPECT_NE(warning.message.find(" more"), std::string::npos);
}

TEST(Warnings, SayThatDecisionsAreEqual) {
  const Dataset data = toy_data(80, 56);
  for (const char* kernel : {"rbf(gamma=1e6) on *", "rbf(gamma=1e-30) on *"}) {
    EXPECT_TRUE(codes_of(warnings_of(data, with_kernels({kernel}))).contains("equal-decisions"))
        << kernel;
  }
  TrainOptions novelty = with_kernels({"rbf(gamma=1e6) on *"});
  novelty.loss = "one-class:nu=0.2";
  novelty.C = 1.0;
  EXPECT_TRUE(codes_of(warnings_of(data, novelty)).contains("equal-decisions"));
  novelty.kernels = {"rbf(gamma=0.2) on *"};
  EXPECT_FALSE(codes_of(warnings_of(data, novelty)).contains("equal-decisions"));
  novelty.loss = "svdd:nu=0.2";
  EXPECT_FALSE(codes_of(warnings_of(data, novelty)).contains("equal-decisions"));
}

/// Two columns as coordinates in metres beside small ones: the entries are huge, what decides is
/// not, and it is there.
TEST(Warnings, OfEqualDecisionsDoNotSpeakOfLargeKernels) {
  Dataset data = toy_data(80, 56);
  for (Index i = 0; i < data.table.values.rows; ++i) {
    data.table.values(i, 1) = 4e5 + 2e3 * data.table.values(i, 1);
    data.table.values(i, 2) = 1e5 + 2e3 * data.table.values(i, 2);
  }
  TrainOptions options = with_kernels({"linear on *"});
  options.scaling = ScalingRule::none;
  for (const char* rule : {"none", "trace", "variance"}) {
    options.normalization = parse_normalization(rule);
    for (const double C : {0.1, 1.0, 100.0}) {
      options.C = C;
      const TrainResult result = train(data, options, {});
      const Vector f = predict(result.model, data, {}).decision.values;
      const auto [least, most] = std::ranges::minmax(f);
      if (most - least < 0.1) continue;
      EXPECT_FALSE(codes_of(result.warnings).contains("equal-decisions")) << rule << " " << C;
    }
  }
}

/// C does not help where each sample is similar only to itself, and no warning says so.
TEST(Warnings, OfIdentitiesHaveOneRemedy) {
  const auto warnings = warnings_of(toy_data(80, 56), with_kernels({"rbf(gamma=1e6) on a"}));
  EXPECT_GE(warnings.size(), 2U);
  for (const Warning& warning : warnings) {
    EXPECT_NE(warning.message.find("wider kernels"), std::string::npos) << warning.message;
    EXPECT_EQ(warning.message.find(" C"), std::string::npos) << warning.message;
  }
}

TEST(Warnings, SayThatAFitInterpolates) {
  const Dataset data = toy_data(60, 57);
  TrainOptions classes = with_kernels({"rbf(gamma=20) on a"});
  classes.C = 1e4;
  EXPECT_TRUE(codes_of(warnings_of(data, classes)).contains("interpolates"));
  classes.C = 0.1;
  EXPECT_FALSE(codes_of(warnings_of(data, classes)).contains("interpolates"));
  Dataset numbers = data;
  Numbers noise(58);
  for (std::string& label : numbers.table.labels) label = fmt::format("{}", noise.normal());
  TrainOptions regression = with_kernels({"rbf(gamma=20) on a"});
  regression.loss = "squared";
  regression.C = 1e8;
  EXPECT_TRUE(codes_of(warnings_of(numbers, regression)).contains("interpolates"));
  regression.C = 1.0;
  EXPECT_FALSE(codes_of(warnings_of(numbers, regression)).contains("interpolates"));
}

/// y = sin(x) for 3 periods: of Gaussians the narrowest is nearest to it, or the widest, or
/// neither.
TEST(Warnings, SeeWeightAtTheEdgeOfAGrid) {
  Dataset data = toy_data(100, 59);
  for (Index i = 0; i < 100; ++i) {
    const double x = static_cast<double>(i) / 100.0;
    data.table.values(i, 0) = x;
    data.table.labels[static_cast<std::size_t>(i)] = fmt::format("{}", std::sin(20.0 * x));
  }
  data.views = {{"x", {"a1"}}};
  const auto edges = [&](const std::string& kernels) {
    TrainOptions options = with_kernels({kernels});
    options.loss = "squared";
    const auto warnings = warnings_of(data, options);
    const Warning* warning = find(warnings, "weight-at-grid-edge");
    return warning == nullptr ? std::vector<Index>() : warning->kernels;
  };
  EXPECT_EQ(edges("rbf(gamma=2^-4..2^0) on x"), std::vector<Index>{4});
  EXPECT_EQ(edges("rbf(width=median*2^1..2^3) on x"), std::vector<Index>{0});
  EXPECT_EQ(edges("rbf(gamma={10; 1000; 10000}) on x"), std::vector<Index>{0});
  EXPECT_EQ(edges("rbf(gamma=2^-1..2^0) on x"), std::vector<Index>());
  EXPECT_EQ(edges("poly(degree=1..3) on x"), std::vector<Index>());
}

/// With a tiny C even weights are as good up to the gap asked for, and a smaller gap makes the
/// solver learn others.
TEST(Warnings, SayThatWeightsAreNotLearned) {
  const Dataset data = toy_data(80, 64);
  TrainOptions options = with_kernels({"linear on a", "linear on b"});
  const auto says_so = [&](double C, double tolerance) {
    options.C = C;
    options.solver.tolerance = tolerance;
    return codes_of(warnings_of(data, options)).contains("weights-not-learned");
  };
  for (const char* regularizer : {"l1", "lp:p=1.5", "mixed-norm:q=1.5"}) {
    options.regularizer = regularizer;
    EXPECT_TRUE(says_so(1e-5, 1e-2)) << regularizer;
    EXPECT_FALSE(says_so(1e-5, 1e-8)) << regularizer;
    EXPECT_FALSE(says_so(10.0, 1e-3)) << regularizer;
  }
  for (const char* nothing_to_learn : {"average", "alignf", "fixed:0.5,0.5"}) {
    options.regularizer = nothing_to_learn;
    EXPECT_FALSE(says_so(1e-5, 1e-2)) << nothing_to_learn;
  }
  options.kernels = {"linear on a", "linear on a"};
  options.regularizer = "l1";
  EXPECT_TRUE(says_so(10.0, 1e-6));
}

/// Each loss of numbers has the optimum f = c on them, and no weights to learn.
TEST(Warnings, SayThatATargetHasOneValue) {
  Dataset data = toy_data(60, 66);
  data.table.labels.assign(60, "7");
  for (const LossInfo& info : losses()) {
    TrainOptions options = with_kernels({"rbf on a", "rbf on b"});
    options.loss = info.example;
    if (loss_target(options.loss) != Target::numbers) continue;
    const TrainResult result = train(data, options, {});
    EXPECT_EQ(result.status, Status::converged) << info.example;
    EXPECT_TRUE(codes_of(result.warnings).contains("constant-target")) << info.example;
    EXPECT_FALSE(codes_of(result.warnings).contains("equal-decisions")) << info.example;
    for (const double f : predict(result.model, data, {}).decision.values) {
      EXPECT_NEAR(f, 7.0, 1e-9) << info.example;
    }
  }
}

TEST(Warnings, NameTheTargetsThatHaveOneValue) {
  Dataset data = toy_data(60, 67);
  data.table.labels.clear();
  data.table.targets.names = {"live", "dead"};
  data.table.targets.values = Matrix(60, 2);
  for (Index i = 0; i < 60; ++i) data.table.targets.values(i, 0) = data.table.values(i, 0);
  TrainOptions options = with_kernels({"rbf on a", "rbf on b"});
  options.loss = "squared";
  const auto warnings = warnings_of(data, options);
  const Warning* const warning = find(warnings, "constant-target");
  ASSERT_NE(warning, nullptr);
  EXPECT_TRUE(warning->message.starts_with("1 of 2 targets (dead) has one value"))
      << warning->message;
  EXPECT_FALSE(codes_of(warnings).contains("equal-decisions"));
}

/// A run that ends before the weights are learned needs time, not a smaller tolerance.
TEST(Warnings, SayWhyWeightsAreNotLearned) {
  const Dataset data = toy_data(80, 64);
  TrainOptions options = with_kernels({"rbf on a", "rbf on b"});
  options.solver.tolerance = 1e-9;
  options.solver.max_iterations = 1;
  const auto stopped = warnings_of(data, options);
  const Warning* const warning = find(stopped, "weights-not-learned");
  ASSERT_NE(warning, nullptr);
  EXPECT_NE(warning->message.find("Allow more time"), std::string::npos) << warning->message;
  options = with_kernels({"linear on a", "linear on a"});
  const auto equal = warnings_of(data, options);
  const Warning* const tie = find(equal, "weights-not-learned");
  ASSERT_NE(tie, nullptr);
  EXPECT_NE(tie->message.find("equally good"), std::string::npos) << tie->message;
}

/// Whole numbers that `auto` would predict as numbers are taken for classes with a warning only.
TEST(Warnings, SeeNumbersThatAreTakenForClasses) {
  Dataset data = toy_data(120, 65);
  const auto warned = [&](auto label) {
    for (Index i = 0; i < 120; ++i) data.table.labels[static_cast<std::size_t>(i)] = label(i);
    TrainOptions options = with_kernels({"linear on a"});
    options.scheme = TaskScheme::one_vs_rest;
    return codes_of(warnings_of(data, options)).contains("numbers-as-classes");
  };
  EXPECT_TRUE(warned([](Index i) { return std::to_string(90 + 3 * (i % 40)); }));
  EXPECT_FALSE(warned([](Index i) { return std::to_string(90 + 3 * (i % 20)); }));
  EXPECT_FALSE(warned([](Index i) { return std::to_string(1 + i % 24); }));  // five samples each
  EXPECT_FALSE(warned([](Index i) { return "c" + std::to_string(i % 40); }));
}

TEST(Warnings, SeeUnscaledColumnsThatDominate) {
  Dataset data = toy_data(60, 60);
  for (Index i = 0; i < 60; ++i) data.table.values(i, 3) *= 1000.0;
  TrainOptions options = with_kernels({"linear on a", "rbf on a|b"});
  EXPECT_FALSE(codes_of(warnings_of(data, options)).contains("column-dominates"));
  options.scaling = ScalingRule::none;
  const auto warnings = warnings_of(data, options);
  const Warning* warning = find(warnings, "column-dominates");
  ASSERT_NE(warning, nullptr);
  EXPECT_NE(warning->message.find("'b1' of b"), std::string::npos) << warning->message;
  options.kernels = {"linear on all, each", "linear on a"};
  EXPECT_FALSE(codes_of(warnings_of(data, options)).contains("column-dominates"));
}

TEST(Warnings, SeeTwoUnscaledColumnsThatDominate) {
  Dataset data = toy_data(60, 60);
  for (Index i = 0; i < 60; ++i) {
    data.table.values(i, 0) *= 1000.0;
    data.table.values(i, 2) *= 500.0;
  }
  TrainOptions options = with_kernels({"rbf(gamma=1e-4) on a"});
  for (const ScalingRule rule : {ScalingRule::none, ScalingRule::common}) {
    options.scaling.of_view = {{"a", rule}};
    const auto warnings = warnings_of(data, options);
    const Warning* warning = find(warnings, "column-dominates");
    ASSERT_NE(warning, nullptr) << scaling_name(rule);
    EXPECT_NE(warning->message.find("'a3', 'a1' of a"), std::string::npos) << warning->message;
  }
  for (const ScalingRule rule :
       {ScalingRule::automatic, ScalingRule::standard, ScalingRule::minmax}) {
    options.scaling = rule;
    EXPECT_FALSE(codes_of(warnings_of(data, options)).contains("column-dominates"));
  }
  options.scaling.of_view = {{"b", ScalingRule::none}};
  EXPECT_FALSE(codes_of(warnings_of(data, options)).contains("column-dominates"));
}

/// Another column of the table and of its only view.
void add_column(Dataset& data, const std::string& name, const Vector& values) {
  const Matrix old = data.table.values;
  data.table.values = Matrix(old.rows, old.cols + 1);
  for (Index i = 0; i < old.rows; ++i) {
    std::ranges::copy(old.row(i), data.table.values.row(i).begin());
    data.table.values(i, old.cols) = values[to_size(i)];
  }
  data.table.columns.push_back(name);
  data.views = {{"data", data.table.columns}};
}

TEST(Warnings, NameAColumnThatIsTheTarget) {
  const Dataset classes = testing::toy_classes(40, 3, 7);
  const std::vector<Index> codes =
      ClassLabels::find(classes.table.labels).encode(classes.table.labels);
  Vector code;
  for (const Index k : codes) code.push_back(7.0 - 2.0 * static_cast<double>(k));
  Dataset leaky = classes;
  add_column(leaky, "code", code);
  TrainOptions options = with_kernels({"linear"});
  const Warning* const found = find(warnings_of(leaky, options), "target-among-columns");
  ASSERT_NE(found, nullptr);
  EXPECT_NE(warnings_of(leaky, options).size(), 0U);
  code.front() += 1.0;  // one sample differs: no longer the target
  Dataset other = classes;
  add_column(other, "code", code);
  EXPECT_FALSE(codes_of(warnings_of(other, options)).contains("target-among-columns"));
  EXPECT_FALSE(codes_of(warnings_of(classes, options)).contains("target-among-columns"));
  options.loss = "squared";
  Dataset numbers = classes;
  for (Index i = 0; i < 40; ++i) {
    numbers.table.labels[to_size(i)] = std::to_string(2.5 * classes.table.values(i, 0) - 1.0);
  }
  EXPECT_TRUE(codes_of(warnings_of(numbers, options)).contains("target-among-columns"));
  numbers.table.labels.front() = "9.5";
  EXPECT_FALSE(codes_of(warnings_of(numbers, options)).contains("target-among-columns"));
}

TEST(Warnings, NameAColumnThatNumbersTheSamples) {
  const Dataset classes = testing::toy_classes(40, 2, 7);
  const TrainOptions options = with_kernels({"linear"});
  const auto warns = [&](const std::string& name, const Vector& values) {
    Dataset data = classes;
    add_column(data, name, values);
    return codes_of(warnings_of(data, options)).contains("samples-numbered");
  };
  Vector rows;
  Vector shuffled;
  Vector sparse;
  Vector counts;
  for (Index i = 0; i < 40; ++i) {
    rows.push_back(static_cast<double>(i));
    shuffled.push_back(static_cast<double>(100 + i * 7 % 40));
    sparse.push_back(static_cast<double>(1000 + i * i));
    counts.push_back(static_cast<double>(i / 2));
  }
  EXPECT_TRUE(warns("row", rows));
  EXPECT_TRUE(warns("code", shuffled));
  EXPECT_TRUE(warns("Patient_ID", sparse));
  EXPECT_FALSE(warns("income", sparse));
  EXPECT_FALSE(warns("id", counts));
}

TEST(Warnings, OfManyTasksNameThem) {
  const Dataset data = testing::toy_classes(60, 3, 61);
  for (const testing::SchemeCase& scheme : testing::scheme_cases()) {
    const bool classes = testing::has_classes(scheme.scheme);
    const Dataset& own = classes ? data : testing::data_for(scheme.scheme, 60, 62);
    TrainOptions options = testing::toy_task_options(scheme.sharing, scheme.scheme);
    SCOPED_TRACE(scheme_name(scheme.scheme) + " " + scheme.sharing);
    options.kernels = {"rbf(gamma=1e6) on *"};
    const auto warnings = train(own, options, {}).warnings;
    const Codes codes = codes_of(warnings);
    EXPECT_TRUE(codes.contains("kernel-near-identity"));
    ASSERT_TRUE(codes.contains("equal-decisions"));
    EXPECT_NE(find(warnings, "equal-decisions")->message.find("3 of 3 tasks"), std::string::npos);
    const bool may_meet =
        scheme.scheme != TaskScheme::joint && scheme.scheme != TaskScheme::targets;  // at this C
    EXPECT_EQ(codes.contains("interpolates"), may_meet);
    options.kernels = {"rbf(width=median) on *"};
    const auto at_median = train(own, options, {}).warnings;
    Codes others = codes_of(at_median);
    others.erase("weights-not-learned");  // a task may be noise to both views
    if (const Warning* weak = find(at_median, "hardly-better-than-one-answer")) {
      EXPECT_EQ(scheme.scheme, TaskScheme::labels);
      EXPECT_NE(weak->message.find("odd"), std::string::npos);  // which is noise
      EXPECT_EQ(weak->message.find("left"), std::string::npos) << weak->message;
      others.erase(weak->code);
    }
    EXPECT_EQ(others, Codes());
    options.kernels = {"rbf on a", "rbf on a"};
    EXPECT_TRUE(codes_of(train(own, options, {}).warnings).contains("weights-not-learned"));
  }
}

TEST(Warnings, AreTheSameForAnyNumberOfThreads) {
  const Dataset data = toy_data(80, 63);
  const TrainOptions options = with_kernels({"rbf(gamma=2^-6..2^12) on *"});
  Context two;
  two.threads = 2;
  const auto one = warnings_of(data, options);
  const auto same = train(data, options, two).warnings;
  ASSERT_EQ(one.size(), same.size());
  for (std::size_t k = 0; k < one.size(); ++k) EXPECT_EQ(one[k].message, same[k].message);
}

}  // namespace
}  // namespace kernmix
