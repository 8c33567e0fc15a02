/// \file
/// Scaling view by view: what kernels read, what a model keeps of it, and what verification says.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "altered_container.hpp"
#include "data/temporary_file.hpp"
#include "kernmix/error.hpp"
#include "kernmix/fitted_kernels.hpp"
#include "kernmix/training.hpp"
#include "model/file/model_container.hpp"
#include "model/toy_data.hpp"

namespace kernmix {
namespace {

constexpr ScalingRule kRules[] = {ScalingRule::none,   ScalingRule::standard,
                                  ScalingRule::minmax, ScalingRule::common,
                                  ScalingRule::root,   ScalingRule::standard_root};

/// Views `words` (20 columns, most numbers are zeros), `pixels` (16 columns, 0 to 16) and `facts`
/// (three columns of their own units, the last one of `pixels`).
Dataset mixed_data(Index n, std::uint32_t seed) {
  Numbers numbers(seed);
  Dataset data;
  data.views = {{"words", {}}, {"pixels", {}}, {"facts", {}}};
  Table& table = data.table;
  table.source = "mixed.csv";
  for (int j = 0; j < 38; ++j) {
    table.columns.push_back(fmt::format("c{}", j));
    data.views[j < 20 ? 0 : j < 36 ? 1 : 2].columns.push_back(table.columns.back());
  }
  data.views[2].columns.push_back("c20");
  table.values = Matrix(n, 38);
  for (Index i = 0; i < n; ++i) {
    const bool yes = i % 2 == 0;
    table.labels.push_back(yes ? "yes" : "no");
    table.ids.push_back(fmt::format("s{}", i));
    for (Index j = 0; j < 38; ++j) {
      const double signal = numbers.uniform() + (yes && j % 3 == 0 ? 0.15 : 0.0);
      table.values(i, j) = j < 20 ? std::max(0.0, std::floor(40.0 * (signal - 0.9)))
                           : j < 36
                               ? std::min(16.0, std::floor(17.0 * signal))
                               : (signal - 0.5) * std::pow(1000.0, static_cast<double>(j - 36));
    }
  }
  return data;
}

TrainOptions mixed_options() {
  TrainOptions options;
  options.kernels = {"rbf(width=median) on words|pixels|facts|all", "linear on facts, each"};
  return options;
}

std::vector<std::string> rules_of(const std::vector<ScaledView>& views) {
  std::vector<std::string> rules;
  for (const ScaledView& view : views) {
    rules.push_back(view.view + " " + scaling_name(view.rule));
  }
  return rules;
}

TEST(ScalingOfViews, IsChosenByTheirNumbersAndKept) {
  const Dataset data = mixed_data(60, 1);
  const Model model = decode_model(encode_model(train(data, mixed_options(), {}).model));
  EXPECT_EQ(rules_of(model.views),
            (std::vector<std::string>{"words sqrt", "pixels common", "facts standard"}));
  EXPECT_EQ(model.views[2].columns, (std::vector<std::string>{"c36", "c37"}))
      << "a shared column belongs to the first view";
  EXPECT_TRUE(verify(model, data, {}).agrees) << failing(verify(model, data, {}));
}

/// The columns of each view as `choice` scales them.
Dataset scaled_before(const Dataset& data, const ScalingChoice& choice) {
  Dataset scaled = data;
  for (const View& view : data.views) {
    const std::vector<std::string>& own = view.columns;
    const Index shared = view.name == "facts" ? 1 : 0;  // the last column is that of `pixels`
    const Matrix raw = select_columns(data.table, own);
    const Matrix read = Scaling::fit(choice.of(view.name), raw).apply(raw);
    const Index first =
        std::ranges::find(data.table.columns, own.front()) - data.table.columns.begin();
    for (Index i = 0; i < read.rows; ++i) {
      for (Index j = 0; j < read.cols - shared; ++j) {
        scaled.table.values(i, first + j) = read(i, j);
      }
    }
  }
  return scaled;
}

Vector kernels_of(const Dataset& data, const ScalingChoice& choice) {
  TrainOptions options = mixed_options();
  options.scaling = choice;
  const FittedKernels kernels(std::make_shared<const Dataset>(data), options, {});
  return all_entries(kernels.training(), {});
}

/// Reading with a rule is reading what the rule makes of the table.
TEST(ScalingOfViews, IsThatOfATableScaledBefore) {
  const Dataset data = mixed_data(60, 2);
  for (const ScalingRule words : {ScalingRule::none, ScalingRule::root, ScalingRule::minmax}) {
    for (const ScalingRule rule : kRules) {
      SCOPED_TRACE(scaling_name(words) + " " + scaling_name(rule));
      TrainOptions options = mixed_options();
      options.scaling = ScalingRule::standard;
      options.scaling.of_view = {{"words", words}, {"pixels", rule}};
      if (!takes_roots(rule)) options.scaling.of_view["facts"] = rule;
      const Vector own = kernels_of(data, options.scaling);
      const Vector same = kernels_of(scaled_before(data, options.scaling), ScalingRule::none);
      ASSERT_EQ(own.size(), same.size());
      for (std::size_t k = 0; k < own.size(); ++k) {
        ASSERT_NEAR(own[k], same[k], 1e-9 * std::max(1.0, std::abs(same[k])));
      }
      const Model model = decode_model(encode_model(train(data, options, {}).model));
      EXPECT_EQ(failing(verify(model, data, {})), "");
    }
  }
}

TEST(ScalingOfViews, VerificationDoesNotDependOnTheOrderOfSamples) {
  const Dataset data = mixed_data(60, 3);
  const Model model = train(data, mixed_options(), {}).model;
  Dataset other = data;
  for (Index i = 0; i < 60; ++i) {
    other.table.ids[static_cast<std::size_t>(i)] = data.table.ids[static_cast<std::size_t>(59 - i)];
    other.table.labels[static_cast<std::size_t>(i)] =
        data.table.labels[static_cast<std::size_t>(59 - i)];
    std::ranges::copy(data.table.values.row(59 - i), other.table.values.row(i).begin());
  }
  EXPECT_EQ(failing(verify(model, other, {})), "");
}

TEST(ScalingOfViews, AnotherRuleThanTheNumbersAskForFails) {
  const Dataset data = mixed_data(60, 4);
  TrainOptions options = mixed_options();
  options.scaling.of_view = {{"words", ScalingRule::standard}};
  Model model = train(data, options, {}).model;
  EXPECT_EQ(failing(verify(model, data, {})), "");
  model.views[0].asked = ScalingRule::automatic;
  EXPECT_EQ(failing(verify(model, data, {})), "scaling");
}

TEST(ScalingOfViews, OfCalibratedModelsIsChosenAnewInEachFold) {
  const Dataset data = mixed_data(60, 5);
  TrainOptions options = mixed_options();
  options.calibration = CalibrationMethod::platt;
  options.calibration_folds = 3;
  const Model model = decode_model(encode_model(train(data, options, {}).model));
  EXPECT_EQ(failing(verify(model, data, {})), "");
}

TEST(ScalingOfViews, DecidesWhichModelsShareKernels) {
  const Dataset data = mixed_data(40, 6);
  Training training(data);
  TrainOptions options = mixed_options();
  const auto builds = [&] {
    static_cast<void>(training.fit(options, {}));
    return training.reuse().kernel_builds;
  };
  EXPECT_EQ(builds(), 1);
  options.C = 2.0;
  EXPECT_EQ(builds(), 1);
  options.scaling.of_view = {{"facts", ScalingRule::minmax}};
  EXPECT_EQ(builds(), 2);
  options.scaling = parse_scaling({"facts=minmax"});
  EXPECT_EQ(builds(), 2);
  options.scaling.rule = ScalingRule::standard;
  EXPECT_EQ(builds(), 3);
}

TEST(ScalingOfViews, OfAViewThatIsNotThereIsRefused) {
  const Dataset data = mixed_data(40, 7);
  TrainOptions options = mixed_options();
  options.scaling = parse_scaling({"fact=none"});
  const auto message =
      "scaling: there is no view 'fact' with columns, did you mean 'facts'? "
      "(views: words, pixels, facts)";
  EXPECT_EQ(error_of([&] { static_cast<void>(train(data, options, {})); }), message);
  const auto shared = std::make_shared<const Dataset>(data);
  EXPECT_EQ(error_of([&] { FittedKernels(shared, options, {}); }), message);
}

TEST(ScalingOfViews, RootsOfNegativeNumbersAreRefused) {
  Dataset data = mixed_data(40, 8);
  TrainOptions options = mixed_options();
  options.scaling = parse_scaling({"pixels=sqrt"});
  const Model model = train(data, options, {}).model;
  Dataset fresh = data;
  fresh.table.values(3, 25) = -1.0;
  EXPECT_EQ(error_of([&] { static_cast<void>(predict(model, fresh, {})); }),
            "mixed.csv: column 'c25' of sample 4 is -1, and the model reads its square root; such "
            "values were not in the training data");
  EXPECT_NE(error_of([&] { static_cast<void>(train(fresh, options, {})); }).find("c25"),
            std::string::npos);
}

}  // namespace
}  // namespace kernmix
