#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "kernmix/error.hpp"
#include "model/toy_data.hpp"

namespace kernmix {
namespace {

struct Refusal {
  const char* what;
  ErrorKind kind;
  const char* words;  ///< that the sentence must contain
  std::function<void(Dataset&, TrainOptions&)> change;
};

const std::vector<Refusal>& refusals() {
  using enum ErrorKind;
  static const std::vector<Refusal> cases = {
      {"C = 0", parameter, "C", [](auto&, auto& o) { o.C = 0.0; }},
      {"C negative", parameter, "C", [](auto&, auto& o) { o.C = -1.0; }},
      {"C not a number", parameter, "C", [](auto&, auto& o) { o.C = std::nan(""); }},
      {"C infinite", parameter, "C", [](auto&, auto& o) { o.C = INFINITY; }},
      {"loss", parameter, "hing", [](auto&, auto& o) { o.loss = "hing"; }},
      {"regularizer", parameter, "l7", [](auto&, auto& o) { o.regularizer = "l7"; }},
      {"p below 1", parameter, "0.5", [](auto&, auto& o) { o.regularizer = "lp:p=0.5"; }},
      {"weights for other M", parameter, "fixed",
       [](auto&, auto& o) { o.regularizer = "fixed:1,2"; }},
      {"solver", parameter, "simplex", [](auto&, auto& o) { o.solver.solver = "simplex"; }},
      {"tolerance 0", parameter, "tolerance", [](auto&, auto& o) { o.solver.tolerance = 0.0; }},
      {"tolerance 1", parameter, "tolerance", [](auto&, auto& o) { o.solver.tolerance = 1.0; }},
      {"iterations", parameter, "iterations", [](auto&, auto& o) { o.solver.max_iterations = 0; }},
      {"class weight of nobody", parameter, "maybe",
       [](auto&, auto& o) {
         o.class_weights = {{"maybe", 1.0}};
       }},
      {"class weight 0", parameter, "yes",
       [](auto&, auto& o) {
         o.class_weights = {{"yes", 0.0}};
       }},
      {"sample weights too few", parameter, "sample weight",
       [](auto&, auto& o) { o.sample_weights = {1.0}; }},
      {"sample weight negative", parameter, "sample 3",
       [](auto&, auto& o) {
         o.sample_weights.assign(40, 1.0);
         o.sample_weights[2] = -1.0;
       }},
      {"kernel function", parameter, "rbf", [](auto&, auto& o) { o.kernels = {"rfb on a"}; }},
      {"kernel view", parameter, "c", [](auto&, auto& o) { o.kernels = {"linear on c"}; }},
      {"kernel parameter", parameter, "gamma",
       [](auto&, auto& o) { o.kernels = {"rbf(gamma=-1) on a"}; }},
      {"positive class", parameter, "maybe", [](auto&, auto& o) { o.positive = "maybe"; }},
      {"no labels", data, "label", [](auto& d, auto&) { d.table.labels.clear(); }},
      {"one class", data, "yes", [](auto& d, auto&) { d.table.labels.assign(40, "yes"); }},
      {"three classes", data, "maybe",
       [](auto& d, auto& o) {
         o.scheme = TaskScheme::single;
         d.table.labels[5] = "maybe";
       }},
      {"label count", data, "39", [](auto& d, auto&) { d.table.labels.pop_back(); }},
      {"unknown column", data, "zz", [](auto& d, auto&) { d.views[0].columns.push_back("zz"); }},
      {"two views of one name", parameter, "a", [](auto& d, auto&) { d.views[1].name = "a"; }},
      {"no view", parameter, "view", [](auto& d, auto&) { d.views.clear(); }},
      {"negative for chi2", data, "b1",
       [](auto& d, auto& o) {
         o.kernels = {"chi2 on b"};
         d.table.values(3, 3) = -1.0;
       }},
      {"values too few", parameter, "toy.csv: a matrix of",
       [](auto& d, auto&) { d.table.values.values.pop_back(); }},
      {"rows that overflow", parameter, "a matrix of",
       [](auto& d, auto&) { d.table.values.rows = std::numeric_limits<Index>::max(); }},
      {"more names than columns", parameter, "column names",
       [](auto& d, auto&) { d.table.columns.push_back("one more"); }},
      {"matrix values too few", parameter, "matrix 'K'",
       [](auto& d, auto&) {
         Matrix K(40, 40);
         K.values.resize(1599);
         d.matrices = {{"K", KernelInput::gram, std::make_shared<const Matrix>(K)}};
       }},
      {"label not UTF-8", data, "UTF-8",
       [](auto& d, auto&) {
         for (auto& label : d.table.labels) label += "\xe9";
       }},
  };
  return cases;
}

TEST(TrainRefusals, SayWhatIsWrongBeforeAnyKernelIsBuilt) {
  for (const Refusal& refusal : refusals()) {
    Dataset data = toy_data(40, 31);
    TrainOptions options = toy_options();
    bool kernels_built = false;
    Context context;
    context.progress = [&](const Progress&) { kernels_built = true; };
    try {
      refusal.change(data, options);
      (void)train(data, options, context);
      ADD_FAILURE() << refusal.what << ": not refused";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), refusal.kind) << refusal.what << ": " << error.what();
      EXPECT_NE(std::string(error.what()).find(refusal.words), std::string::npos)
          << refusal.what << ": " << error.what();
    }
    EXPECT_FALSE(kernels_built) << refusal.what;
  }
}

TEST(TrainRefusals, RegressionWantsNumbersAndNoClasses) {
  const auto refusal = [](const std::function<void(Dataset&, TrainOptions&)>& change) {
    Dataset data = toy_data(40, 35);
    for (std::size_t i = 0; i < 40; ++i) data.table.labels[i] = fmt::format("{}", 0.5 * double(i));
    TrainOptions options = toy_options();
    options.loss = "squared";
    change(data, options);
    Context context;
    context.progress = [](const Progress&) { ADD_FAILURE() << "kernels were built"; };
    try {
      (void)train(data, options, context);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("not refused");
  };
  EXPECT_EQ(refusal([](auto& d, auto&) { d.table.labels[6] = "high"; }),
            "toy.csv: sample 7: label 'high' is not a finite number, as regression needs; correct "
            "it, or remove the sample");
  EXPECT_EQ(refusal([](auto& d, auto&) { d.table.labels.clear(); }),
            "toy.csv: has no labels; name the label column");
  EXPECT_EQ(refusal([](auto&, auto& o) {
              o.class_weights = {{"0.5", 2.0}};
            }),
            "class weights need a loss of two classes, squared learns from numbers; give sample "
            "weights instead");
  EXPECT_EQ(refusal([](auto&, auto& o) { o.positive = "0.5"; }),
            "a positive class needs a loss of two classes, squared learns from numbers");
}

TEST(TrainRefusals, MemoryIsRefusedWithTheNumbers) {
  Context context;
  context.memory_bytes = 1000;
  EXPECT_THROW((void)train(toy_data(40, 32), toy_options(), context), ResourceError);
}

TEST(TrainRefusals, PredictionNamesNegativeValues) {
  Dataset data = toy_data(40, 33);
  for (double& value : data.table.values.values) value = std::abs(value);
  TrainOptions options;
  options.kernels = {"chi2 on a"};
  const Model model = train(data, options, {}).model;
  data.table.values(0, 0) = -1.0;
  EXPECT_THROW((void)predict(model, data, {}), DataError);
}

/// A model is a plain value as well.
TEST(TrainRefusals, InconsistentModelsAreNotRead) {
  const Dataset data = toy_data(40, 36);
  const Model sound = train(data, toy_options(), {}).model;
  for (const auto& change : std::vector<std::function<void(Model&)>>{
           [](Model& m) { m.support_values.values.pop_back(); },
           [](Model& m) { m.support_values.cols += 1; },
           [](Model& m) { m.tasks[0].coefficients.pop_back(); },
           [](Model& m) { m.scaling.divisor.pop_back(); },
           [](Model& m) { m.scaling.root[0] = true; }, [](Model& m) { m.views.pop_back(); },
           [](Model& m) { m.support.back() = 1000; }}) {
    Model model = sound;
    change(model);
    for (const auto& use : std::vector<std::function<void()>>{
             [&] { (void)predict(model, data, {}); }, [&] { (void)verify(model, data, {}); }}) {
      try {
        use();
        ADD_FAILURE() << "was read";
      } catch (const DataError& failure) {
        EXPECT_TRUE(std::string(failure.what()).starts_with("the model has ")) << failure.what();
      }
    }
  }
}

TEST(TrainRefusals, VerifyNeedsLabels) {
  Dataset data = toy_data(40, 34);
  const Model model = train(data, toy_options(), {}).model;
  data.table.labels.clear();
  EXPECT_THROW((void)verify(model, data, {}), DataError);
}

}  // namespace
}  // namespace kernmix
