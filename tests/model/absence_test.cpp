// Samples that lack a view: kernels about the mean of the samples that have it, written out, and
// models whose predictions for training samples are the values that training certified.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "altered_container.hpp"
#include "base/linear_algebra.hpp"
#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "kernmix/fitted_kernels.hpp"
#include "kernmix/training.hpp"
#include "model/file/model_container.hpp"
#include "model/thresholds/folds.hpp"
#include "model/toy_tasks.hpp"

namespace kernmix::testing {
namespace {

using Names = std::vector<std::string>;

/// Some samples lack view `a` or view `b`, and none both.
Dataset with_absent_views(Dataset data, double share, std::uint32_t seed) {
  Numbers numbers(seed);
  for (Index i = 0; i < data.table.values.rows; ++i) {
    const double draw = numbers.uniform();
    const bool lacks_b = draw < share;
    if (!lacks_b && draw > share + share / 2.0) continue;
    for (Index j = lacks_b ? 3 : 0; j < (lacks_b ? 5 : 3); ++j) {
      data.table.values(i, j) = missing_cell;
    }
  }
  return data;
}

Eigen::MatrixXd entries_of(const KernelSource& source) {
  RowMatrix K(source.rows(), source.cols());
  source.block(all_samples(source.rows()), all_samples(source.cols()),
               {K.data(), to_size(K.size())});
  return K;
}

/// s_i s_j [k(i,j) - m_i - m_j + m] of the kernel k between the samples that have the view.
Eigen::MatrixXd about_mean(const Eigen::MatrixXd& k, const std::vector<Index>& present, Index n,
                           const Vector& weights) {
  Eigen::VectorXd w = Eigen::VectorXd::Ones(k.rows());
  for (Index r = 0; r < k.rows() && !weights.empty(); ++r) {
    w[r] = weights[to_size(present[to_size(r)])];
  }
  const Eigen::VectorXd m = k * w / w.sum();
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
  for (Index r = 0; r < k.rows(); ++r) {
    for (Index c = 0; c < k.cols(); ++c) {
      K(present[to_size(r)], present[to_size(c)]) = k(r, c) - m[r] - m[c] + m.dot(w) / w.sum();
    }
  }
  return K;
}

TEST(Absence, KernelsAreThoseOfPresentSamplesAboutTheirMean) {
  for (const char* const rule : {"trace", "variance", "none", "cosine+variance", "center+trace",
                                 "cosine+center+unit-trace"}) {
    for (const bool weighted : {false, true}) {
      SCOPED_TRACE(fmt::format("{} {}", rule, weighted));
      const auto data = std::make_shared<Dataset>(with_absent_views(toy_data(40, 3), 0.3, 5));
      TrainOptions options;
      options.kernels = {"rbf(width=median) on a|b", "linear on a, each", "poly(degree=2) on b"};
      options.normalization = parse_normalization(rule);
      options.scaling = ScalingRule::standard;
      for (Index i = 0; weighted && i < 40; ++i) {
        options.sample_weights.push_back(1.0 + static_cast<double>(i % 3));
      }
      const FittedKernels kernels(data, options, {});
      for (std::size_t m = 0; m < kernels.training().size(); ++m) {
        const std::string view = kernels.descriptions()[m].view;
        const auto incomplete = incomplete_views(*data);
        const auto own =
            std::ranges::find(incomplete, view, [](const Presence& one) { return one.view.name; });
        ASSERT_NE(own, incomplete.end());
        // The view alone, of the samples that have it.
        auto part = std::make_shared<Dataset>(complete_part(*data, own->present->samples()));
        std::erase_if(part->views, [&](const View& one) { return one.name != view; });
        TrainOptions alone = options;
        alone.sample_weights = entries_at(options.sample_weights, own->present->samples());
        alone.kernels =
            view == "a" ? std::vector<std::string>{"rbf(width=median) on a", "linear on a, each"}
                        : std::vector<std::string>{"rbf(width=median) on b", "poly(degree=2) on b"};
        const FittedKernels fitted(part, alone, {});
        const auto same = std::ranges::find(fitted.descriptions(), kernels.descriptions()[m].name(),
                                            [](const auto& one) { return one.name(); });
        ASSERT_NE(same, fitted.descriptions().end());
        const auto at = to_size(same - fitted.descriptions().begin());
        const Eigen::MatrixXd expected =
            about_mean(entries_of(*fitted.training()[at]), own->present->samples(), 40,
                       options.sample_weights);
        const Eigen::MatrixXd K = entries_of(*kernels.training()[m]);
        const double size = entries_of(*fitted.training()[at]).cwiseAbs().maxCoeff();
        EXPECT_LE((K - expected).cwiseAbs().maxCoeff(), 1e-12 * size);
        EXPECT_EQ(K, K.transpose());
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> spectrum(K);
        EXPECT_GE(spectrum.eigenvalues()[0], -1e-12 * 40.0 * size);
      }
    }
  }
}

TEST(Absence, KernelsOnAllViewsLackWhoeverLacksOne) {
  const auto data = std::make_shared<Dataset>(with_absent_views(toy_data(30, 4), 0.3, 6));
  TrainOptions options;
  options.kernels = {"rbf(gamma=0.1) on all", "linear on b"};
  const FittedKernels kernels(data, options, {});
  const Eigen::MatrixXd K = entries_of(*kernels.training()[0]);
  const std::vector<Index> complete = samples_with_all_views(*data);
  EXPECT_LT(length(complete), 30);
  for (Index i = 0; i < 30; ++i) {
    EXPECT_EQ(K(i, i) != 0.0, std::ranges::binary_search(complete, i));
  }
}

/// Decision values of the training samples from the training kernels.
void expect_trained_values(const Model& model, const Dataset& data, const TrainOptions& options) {
  const FittedKernels kernels(std::make_shared<Dataset>(data), options, {});
  const Matrix decision = predict(model, data, {}).task_decision;
  const Index n = model.training_samples;
  for (Index k = 0; k < length(model.tasks); ++k) {
    const TaskModel& task = model.tasks[to_size(k)];
    Eigen::VectorXd a = Eigen::VectorXd::Zero(n);
    for (std::size_t s = 0; s < task.support.size(); ++s) {
      a[model.support[to_size(task.support[s])]] = task.coefficients[s];
    }
    Eigen::VectorXd expected = Eigen::VectorXd::Constant(n, task.bias);
    Eigen::VectorXd size = expected.cwiseAbs();
    for (std::size_t m = 0; m < kernels.training().size(); ++m) {
      const Eigen::MatrixXd K = entries_of(*kernels.training()[m]);
      expected += model.task_weights(k)[m] * (K * a);
      size += model.task_weights(k)[m] * (K.cwiseAbs() * a.cwiseAbs());
    }
    const double largest = size.maxCoeff() + a.cwiseAbs().sum();
    for (Index i = 0; i < n; ++i) EXPECT_NEAR(decision(i, k), expected[i], 1e-9 * largest);
  }
}

class AbsentViews : public ::testing::TestWithParam<SchemeCase> {};

TEST_P(AbsentViews, ArePredictedAsTheyWereTrained) {
  const SchemeCase& c = GetParam();
  const Dataset data = with_absent_views(data_for(c.scheme, 48, 11), 0.25, 7);
  Index cases = 0;
  for (const LossInfo& loss : losses()) {
    const Target learned = c.scheme == TaskScheme::targets ? Target::numbers : Target::classes;
    if (loss_target(parse_loss(loss.example)) != learned) continue;
    for (const Bias bias : {Bias::free, Bias::none, Bias::penalised}) {
      for (const char* const rule : {"trace", "variance", "cosine+center+unit-trace"}) {
        SCOPED_TRACE(fmt::format("{}, bias {}, {}", loss.example, bias_name(bias), rule));
        TrainOptions options = toy_task_options(c.sharing, c.scheme);
        options.kernels = {"rbf(width=median) on a|b", "linear on a", "rbf(gamma=0.05) on all"};
        options.regularizer = "lp:p=2";
        options.loss = loss.example;
        options.C = takes_cost(parse_loss(loss.example)) ? 2.0 : 1.0;
        options.bias = bias;
        options.normalization = parse_normalization(rule);
        options.solver.max_iterations = 20;
        options.solver.tolerance = 1e-2;
        try {
          const Model model = train(data, options, {}).model;
          expect_trained_values(model, data, options);
          expect_trained_values(decode_model(encode_model(model)), data, options);
          ++cases;
        } catch (const ParameterError&) {  // what the scheme does not take
        }
      }
    }
  }
  EXPECT_GE(cases, c.scheme == TaskScheme::joint ? 3 : 12);
}

INSTANTIATE_TEST_SUITE_P(Schemes, AbsentViews, ::testing::ValuesIn(scheme_cases()), test_name_of);

bool holds(const Model& model, const Dataset& data) {
  const Verification found = verify(model, data, {});
  for (const auto& claim : found.claims) {
    if (!claim.agrees) std::cerr << claim.name << ": " << claim.finding << "\n";
  }
  return found.agrees;
}

TEST(Absence, OfNoveltyDetectors) {
  for (const char* const loss : {"one-class:nu=0.3", "svdd:nu=0.3"}) {
    SCOPED_TRACE(loss);
    Dataset data = with_absent_views(toy_data(40, 9), 0.3, 8);
    data.table.labels.clear();
    TrainOptions options;
    options.kernels = {"rbf(width=median) on a|b"};
    options.loss = loss;
    const Model model = train(data, options, {}).model;
    const Matrix decision = predict(model, data, {}).task_decision;
    EXPECT_TRUE(holds(model, data));
    EXPECT_EQ(decision.rows, 40);
  }
}

TEST(Absence, IsVerified) {
  for (const std::string rule : {"trace", "variance", "center+trace"}) {
    const Dataset data = with_absent_views(toy_data(60, 12), 0.3, 10);
    TrainOptions options = toy_options();
    options.normalization = parse_normalization(rule);
    Model model = train(data, options, {}).model;
    ASSERT_FALSE(model.presences.empty());
    EXPECT_TRUE(holds(model, data)) << rule;
    model.presences.front().samples += 1;
    EXPECT_FALSE(holds(model, data));
  }
}

TEST(Absence, EveryNumberAndTextAboutItIsChecked) {
  Dataset data = with_absent_views(toy_data(40, 24), 0.3, 25);
  data.table.ids.clear();
  TrainOptions options = toy_options();
  options.regularizer = "lp:p=2";
  const Model model = decode_model(encode_model(train(data, options, {}).model));
  ASSERT_EQ(model.presences.size(), 2U);
  alter_each(to_container(model), 3, [&](const Alteration& altered) {
    if (altered.place.find("presence") == std::string::npos) return;
    EXPECT_TRUE(is_noticed(altered, data)) << altered.place;
  });
}

/// A part in which nobody lacks the view is centred as the whole would be: its test part may lack
/// it.
TEST(Absence, OfOneSampleInATestPart) {
  Dataset data = toy_data(30, 13);
  data.table.values(4, 3) = data.table.values(4, 4) = missing_cell;
  Fold fold;
  for (Index i = 0; i < 30; ++i) (i < 10 ? fold.test : fold.train).push_back(i);
  const FoldData parts = fold_data(data, fold, {});
  const Model model = train(parts.train, toy_options(), {}).model;
  EXPECT_EQ(predict(model, parts.test, {}).decision.rows, 10);
}

/// Columns are compared with the targets of the samples that have them.
TEST(Absence, ColumnsThatTellTheTargetAreNamed) {
  const auto warns = [](const Dataset& data, const TrainOptions& options) {
    const std::vector<Warning> warnings = train(data, options, {}).warnings;
    return std::ranges::any_of(
        warnings, [](const Warning& own) { return own.code == "target-among-columns"; });
  };
  for (const bool leaks : {false, true}) {
    Dataset data = with_absent_views(toy_targets(60, 26), 0.3, 27);
    data.table.targets = {{}, Matrix(60, 1)};
    for (Index i = 0; i < 60; ++i) {
      data.table.targets.values(i, 0) = std::sin(static_cast<double>(i * i));
      const bool has = !std::isnan(data.table.values(i, 3));
      if (leaks && has) data.table.values(i, 3) = 2.0 * data.table.targets.values(i, 0) + 1.0;
    }
    TrainOptions options;
    options.loss = "squared";
    options.kernels = {"linear on a|b"};
    EXPECT_EQ(warns(data, options), leaks);
  }
}

/// A sample of weight 0 is as if it were not there: a view that only it lacked is complete.
TEST(Absence, OfASampleOfWeightZeroIsNone) {
  Dataset data = toy_data(30, 13);
  data.table.values(4, 3) = data.table.values(4, 4) = missing_cell;
  TrainOptions options = toy_options();
  options.sample_weights.assign(30, 1.0);
  options.sample_weights[4] = 0.0;
  const Model model = train(data, options, {}).model;
  EXPECT_TRUE(model.presences.empty());
}

TEST(Absence, CompleteViewsStayAsTheyAre) {
  Dataset data = toy_data(40, 14);
  const Model before = train(data, toy_options(), {}).model;
  EXPECT_TRUE(before.presences.empty());
  for (const AbsentRule rule : {AbsentRule::drop, AbsentRule::refuse}) {
    TrainOptions options = toy_options();
    options.absent = rule;
    Model after = train(data, options, {}).model;
    after.settings.absent = before.settings.absent;
    EXPECT_EQ(encode_model(before), encode_model(after));
  }
}

TEST(Absence, DropTrainsOnTheOthers) {
  const Dataset data = with_absent_views(toy_data(50, 15), 0.3, 16);
  TrainOptions options = toy_options();
  options.absent = AbsentRule::drop;
  Model dropped = train(data, options, {}).model;
  EXPECT_EQ(dropped.settings.absent, "drop");
  dropped.settings.absent = "keep";
  const Dataset others = complete_part(data, samples_with_all_views(data));
  EXPECT_EQ(encode_model(dropped), encode_model(train(others, toy_options(), {}).model));
}

std::string refusal(const Dataset& data, const TrainOptions& options) {
  try {
    (void)train(data, options, {});
  } catch (const DataError& failure) {
    return failure.what();
  }
  return "";
}

TEST(Absence, IsRefusedByName) {
  Dataset data = with_absent_views(toy_data(40, 17), 0.3, 18);
  TrainOptions options = toy_options();
  options.absent = AbsentRule::refuse;
  EXPECT_NE(refusal(data, options).find("samples lack view 'a'"), std::string::npos)
      << refusal(data, options);
  options.absent = AbsentRule::keep;
  for (Index j = 0; j < 5; ++j) data.table.values(7, j) = missing_cell;
  EXPECT_NE(refusal(data, options).find("none of the views, for example sample 8 (s7)"),
            std::string::npos);
  data = with_absent_views(toy_data(40, 17), 0.0, 18);
  for (Index i = 0; i < 39; ++i) data.table.values(i, 3) = data.table.values(i, 4) = missing_cell;
  EXPECT_NE(refusal(data, options).find("one training sample has view 'b'"), std::string::npos);
  data = toy_data(40, 17);
  data.table.values(3, 3) = missing_cell;  // a single cell
  EXPECT_NE(refusal(data, options).find("column 'b1' of sample 4"), std::string::npos);
}

/// Its kernels then add the same to every such sample, and other samples keep their bits.
TEST(Absence, OfNewSamplesInViewsThatAllHadIsPredicted) {
  const Dataset data = toy_data(40, 19);
  const Model model = train(data, toy_options(), {}).model;
  Dataset fresh = data;
  for (const Index i : {5, 6}) {
    fresh.table.values(i, 3) = fresh.table.values(i, 4) = missing_cell;
    for (Index j = 0; j < 3; ++j) fresh.table.values(i, j) = data.table.values(5, j);
  }
  const Prediction complete = predict(model, data, {});
  const Prediction found = predict(model, fresh, {}, true);
  EXPECT_EQ(found.task_decision(5, 0), found.task_decision(6, 0));
  EXPECT_NE(found.task_decision(5, 0), complete.task_decision(5, 0));
  EXPECT_EQ(found.task_decision(7, 0), complete.task_decision(7, 0));
  EXPECT_EQ(found.views[5], "a");
  double sum = model.tasks.front().bias;
  for (const double part : found.contributions.row(5)) sum += part;
  EXPECT_NEAR(sum, found.task_decision(5, 0), 1e-9);
}

/// A sample is predicted from the views that it has, and one without any by the bias alone.
TEST(Absence, OfAllViewsIsTheBias) {
  const Dataset data = with_absent_views(toy_data(40, 20), 0.3, 21);
  const Model model = train(data, toy_options(), {}).model;
  Dataset fresh = samples_at(data, {0, 1});
  for (double& cell : fresh.table.values.values) cell = missing_cell;
  const Matrix decision = predict(model, fresh, {}).task_decision;
  EXPECT_DOUBLE_EQ(decision(0, 0), model.tasks.front().bias);
}

/// Given matrices: rows of absent samples are not read.
TEST(Absence, OfMatricesIsThatOfTheirColumns) {
  const Dataset table = with_absent_views(toy_data(40, 22), 0.3, 23);
  Dataset data = table;
  data.views.pop_back();
  TrainOptions options;
  options.kernels = {"rbf(width=median) on a", "precomputed on b"};
  const std::vector<Index> present = samples_with_view(table, "b");
  auto K = std::make_shared<Matrix>(40, 40);
  for (const Index i : present) {
    for (const Index j : present) {
      for (Index c = 3; c < 5; ++c)
        (*K)(i, j) += table.table.values(i, c) * table.table.values(j, c);
    }
  }
  data.matrices = {
      {"b", KernelInput::gram, GivenMatrix(std::shared_ptr<const Matrix>(K)), present}};
  const Model model = train(data, options, {}).model;
  options.kernels = {"rbf(width=median) on a", "linear on b"};
  options.scaling.of_view = {{"b", ScalingRule::none}};
  const Model same = train(table, options, {}).model;
  EXPECT_TRUE(holds(model, data));
  const Matrix left = predict(model, data, {}).decision;
  const Matrix right = predict(same, table, {}).decision;
  for (Index i = 0; i < 40; ++i) EXPECT_NEAR(left(i, 0), right(i, 0), 1e-2);
}

/// Overlapping views that some samples lack, and single missing cells.
Dataset overlapping_data(Index n, std::uint32_t seed) {
  Dataset data = toy_data(n, seed);
  const Names columns = data.table.columns;  // a1, a2, a3, b1, b2
  data.views = {{"a", {columns[0], columns[1]}},
                {"b", {columns[1], columns[2], columns[3]}},
                {"c", {columns[3], columns[4]}}};
  std::ranges::rotate(data.views, data.views.begin() + seed % 3);
  Numbers numbers(seed);
  const std::vector<std::vector<Index>> of_view = {{0, 1}, {1, 2, 3}, {3, 4}};
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < 5; ++j) {
      if (numbers.uniform() < 0.1) data.table.values(i, j) = missing_cell;
    }
    const auto lacked = static_cast<std::size_t>(6.0 * numbers.uniform());  // 3, 4, 5: none
    const Index kept = lacked == 0 ? 4 : 0;
    if (lacked < 3) {
      for (const Index j : of_view[lacked]) data.table.values(i, j) = missing_cell;
    }
    if (std::isnan(data.table.values(i, kept))) data.table.values(i, kept) = numbers.uniform();
  }
  return data;
}

RC_GTEST_PROP(Absence, OfOverlappingViewsWithMissingCellsIsFoundAgain, (std::uint32_t seed)) {
  for (const MissingRule rule :
       {MissingRule::mean, MissingRule::mean_indicator, MissingRule::median_indicator}) {
    const Dataset read = overlapping_data(40, seed % 1000);
    Dataset data = read;
    make_indicators(data, rule);
    TrainOptions options = toy_options();
    options.kernels = {};
    options.regularizer = "lp:p=2";
    options.missing = rule;
    const Model trained = train(data, options, {}).model;
    const Model model = decode_model(encode_model(trained));
    RC_ASSERT(verify(model, data, {}).agrees);
    Dataset fresh = read;
    fresh.views.clear();
    expect_absence(fresh, column_reading(model).lacking, model.indicators);
    make_indicators(fresh, model.indicators);
    RC_ASSERT(predict(model, fresh, {}).decision.values ==
              predict(trained, data, {}).decision.values);
    expect_trained_values(model, data, options);
    RC_ASSERT(!::testing::Test::HasFailure());
  }
}

/// A cell is missing if a sample has some view of its column.
TEST(Absence, CellsOfAbsentViewsAreNotMissing) {
  Dataset data = toy_data(6, 1);
  const Names columns = data.table.columns;
  data.views = {{"a", {columns[0], columns[1]}}, {"b", {columns[1]}}, {"c", {columns[2]}}};
  Matrix& values = data.table.values;
  values(0, 0) = values(0, 1) = missing_cell;  // lacks a and b
  values(1, 1) = missing_cell;                 // lacks b, and a misses a cell
  make_indicators(data, MissingRule::mean_indicator);
  ASSERT_EQ(data.table.indicators.size(), 1U);
  EXPECT_EQ(data.table.indicators.front().column, columns[1]);
  EXPECT_EQ(data.table.indicators.front().views, (Names{"a", "b"}));
  const Index last = data.table.values.cols - 1;
  EXPECT_TRUE(std::isnan(data.table.values(0, last)));
  EXPECT_EQ(data.table.values(1, last), 1.0);
  EXPECT_EQ(data.table.values(2, last), 0.0);
}

/// Prediction would not find who lacks the view.
TEST(Absence, IndicatorsOfAViewThatNoKernelReadsAreRefused) {
  Dataset data = with_absent_views(toy_data(40, 28), 0.3, 29);
  for (Index i = 0; i < 40; ++i) {  // only view b is incomplete
    for (Index j = 0; j < 3; ++j) {
      if (std::isnan(data.table.values(i, j))) data.table.values(i, j) = 1.0;
    }
  }
  Index i = 0;
  while (std::isnan(data.table.values(i, 3))) ++i;
  data.table.values(i, 3) = missing_cell;
  make_indicators(data, MissingRule::mean_indicator);
  TrainOptions options = toy_options();
  options.missing = MissingRule::mean_indicator;
  options.kernels = {"linear on a", "linear on missing"};
  EXPECT_THROW((void)train(data, options, {}), ParameterError);
  options.kernels.emplace_back("linear on b");
  EXPECT_NO_THROW((void)train(data, options, {}));
}

TEST(Absence, OfManyViewsIsRefusedInOneSentence) {
  Dataset data = toy_data(40, 30);
  data.views.clear();
  for (Index j = 0; j < 5; ++j) {
    data.views.push_back({fmt::format("v{}", j), {data.table.columns[to_size(j)]}});
    data.table.values(j, j) = missing_cell;
  }
  TrainOptions options;
  options.absent = AbsentRule::refuse;
  const std::string text = refusal(data, options);
  EXPECT_NE(text.find("view 'v2' (and 2 more views): leave"), std::string::npos) << text;
  EXPECT_EQ(text.find("'v3'"), std::string::npos) << text;
}

TEST(Absence, OfAWholeClassIsSaid) {
  Dataset data = toy_data(40, 31);
  const std::string label = data.table.labels.front();
  for (Index i = 0; i < 40; ++i) {
    if (data.table.labels[to_size(i)] != label) continue;
    data.table.values(i, 3) = data.table.values(i, 4) = missing_cell;
  }
  const std::vector<Warning> warnings = train(data, toy_options(), {}).warnings;
  const auto found = std::ranges::find(warnings, "class-without-view", &Warning::code);
  ASSERT_NE(found, warnings.end());
  EXPECT_NE(found->message.find(fmt::format("no sample of class '{}' has view 'b'", label)),
            std::string::npos)
      << found->message;
}

/// None of the new samples has the matrix.
TEST(Absence, OfAWholeMatrixInNewSamples) {
  const Dataset table = with_absent_views(toy_data(40, 22), 0.3, 23);
  Dataset data = table;
  data.views.pop_back();
  const std::vector<Index> present = samples_with_view(table, "b");
  auto K = std::make_shared<Matrix>(40, 40);
  for (const Index i : present) {
    for (const Index j : present) (*K)(i, j) = table.table.values(i, 3) * table.table.values(j, 3);
  }
  data.matrices = {
      {"b", KernelInput::gram, GivenMatrix(std::shared_ptr<const Matrix>(K)), present}};
  TrainOptions options;
  options.kernels = {"rbf(width=median) on a", "precomputed on b"};
  options.regularizer = "lp:p=2";
  const Model model = train(data, options, {}).model;
  Dataset fresh = data;
  fresh.matrices.clear();
  const Prediction own = predict(model, fresh, {});
  const Matrix all = predict(model, data, {}).decision;
  for (Index i = 0; i < 40; ++i) {
    EXPECT_EQ(own.views[to_size(i)].find('b'), std::string::npos);
    const bool has = std::ranges::binary_search(present, i);
    if (!has) {
      EXPECT_EQ(own.decision(i, 0), all(i, 0));
    }
  }
  fresh.matrices = data.matrices;
  fresh.matrices.front().name = "c";
  fresh.matrices.push_back(data.matrices.front());
  EXPECT_NO_THROW((void)predict(model, fresh, {}));  // a matrix that the model does not read
  data.matrices.front().present.reset();
  const Model complete = train(data, options, {}).model;
  fresh.matrices.clear();
  EXPECT_THROW((void)predict(complete, fresh, {}), DataError);
}

}  // namespace
}  // namespace kernmix::testing
