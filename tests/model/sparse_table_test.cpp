/// \file
/// Sparse tables give the kernels, models and predictions of the same numbers in a dense table.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "data/temporary_file.hpp"
#include "kernmix/error.hpp"
#include "kernmix/explain.hpp"
#include "kernmix/fitted_kernels.hpp"
#include "kernmix/training.hpp"
#include "model/toy_data.hpp"

namespace kernmix {
namespace {

constexpr ScalingRule kSparseRules[] = {
    ScalingRule::automatic, ScalingRule::none, ScalingRule::standard,     ScalingRule::minmax,
    ScalingRule::common,    ScalingRule::root, ScalingRule::standard_root};

/// Two views of 20 columns, of which the first is one of counts with a column of zeros.
Dataset dense_data(Index n, std::uint32_t seed) {
  Numbers numbers(seed);
  Dataset data;
  data.views = {{"counts", {}}, {"words", {}}};
  Table& table = data.table;
  table.source = "sparse.libsvm";
  for (int j = 0; j < 40; ++j) {
    table.columns.push_back(std::to_string(j + 1));
    data.views[j < 20 ? 0 : 1].columns.push_back(table.columns.back());
  }
  table.parts = {{"sparse", 0, 40, true}};
  table.values = Matrix(n, 40);
  for (Index i = 0; i < n; ++i) {
    table.labels.push_back(i % 2 == 0 ? "yes" : "no");
    for (Index j = 0; j < 40; ++j) {
      const bool entry = numbers.uniform() < (i % 2 == 0 && j % 4 == 0 ? 0.4 : 0.1) && j != 7;
      if (entry) table.values(i, j) = std::floor(1.0 + 9.0 * numbers.uniform());
    }
  }
  return data;
}

Dataset as_sparse(Dataset data) {
  data.table.sparse = std::make_shared<const SparseMatrix>(sparse(data.table.values));
  data.table.values = Matrix();
  return data;
}

TrainOptions options_of(ScalingRule rule) {
  TrainOptions options;
  options.scaling = rule;
  options.missing = MissingRule::refuse;
  for (const KernelFunctionInfo& info : kernel_functions()) {
    if (info.input == KernelInput::gram) continue;
    const bool has_width = takes_width({.name = info.name, .parameters = {}});
    const char* const parameters = has_width             ? "(width=median)"
                                   : info.name == "poly" ? "(degree=2)"
                                                         : "";
    options.kernels.push_back(info.name + parameters + " on counts|words|all, normalize=none");
  }
  return options;
}

void expect_same(const std::vector<KernelSourcePtr>& expected,
                 const std::vector<KernelSourcePtr>& found,
                 const std::vector<KernelDescription>& kernels) {
  const Vector all = all_entries(expected, {});
  const Vector other = all_entries(found, {});
  const std::size_t each = all.size() / kernels.size();
  for (std::size_t m = 0; m < kernels.size(); ++m) {
    const auto own = ConstSpan(all).subspan(m * each, each);
    double largest = 1.0;
    for (const double entry : own) largest = std::max(largest, std::abs(entry));
    for (std::size_t k = 0; k < each; ++k) {
      ASSERT_NEAR(own[k], other[m * each + k], 1e-12 * largest) << kernels[m].name() << " " << k;
    }
  }
}

void expect_kernels_of_dense(ScalingRule rule) {
  const auto data = std::make_shared<Dataset>(dense_data(50, 3));
  const auto same = std::make_shared<Dataset>(as_sparse(*data));
  const Dataset fresh = dense_data(9, 4);
  const Dataset sparse_fresh = as_sparse(fresh);
  const TrainOptions options = options_of(rule);
  const FittedKernels expected(data, options, {});
  const FittedKernels found(same, options, {});
  expect_same(expected.training(), found.training(), expected.descriptions());
  expect_same(expected.between(fresh), found.between(sparse_fresh), expected.descriptions());
  expect_same(expected.between(fresh), found.between(fresh), expected.descriptions());
  expect_same(expected.between(fresh), expected.between(sparse_fresh), expected.descriptions());
}

void expect_model_of_dense(ScalingRule rule) {
  const Dataset data = dense_data(60, 5);
  const Dataset same = as_sparse(data);
  TrainOptions options;
  options.scaling = rule;
  options.kernels = {"linear on counts|words|all", "rbf(width=median) on all"};
  const Model expected = train(data, options, {}).model;
  const Model found = train(same, options, {}).model;
  EXPECT_EQ(found.training_hash, expected.training_hash);
  const double gap = expected.certificate.primal - expected.certificate.dual;
  EXPECT_NEAR(found.certificate.primal, expected.certificate.primal,
              gap + 1e-9 * std::abs(expected.certificate.primal));
  ASSERT_EQ(found.sparse_support.rows, length(found.support));
  EXPECT_TRUE(found.support_values.values.empty());

  const TemporaryFolder folder;
  const std::string file = folder.path("sparse.kmx");
  save_model(found, file);
  const Model back = load_model(file);
  EXPECT_EQ(back.sparse_support.starts, found.sparse_support.starts);
  EXPECT_EQ(back.sparse_support.columns, found.sparse_support.columns);
  EXPECT_EQ(back.sparse_support.values, found.sparse_support.values);
  EXPECT_TRUE(verify(back, data, {}).agrees);
  EXPECT_TRUE(verify(back, same, {}).agrees);
  const Matrix once = predict(back, same, {}).decision;
  const Matrix again = predict(back, data, {}).decision;
  ASSERT_EQ(once.rows, 60);
  for (std::size_t i = 0; i < once.values.size(); ++i) {
    EXPECT_NEAR(once.values[i], again.values[i], 1e-9 * (1.0 + std::abs(again.values[i])));
  }
  EXPECT_EQ(explain(back, same, {}).features.size(), explain(back, data, {}).features.size());
}

TEST(SparseTables, HaveTheKernelsOfDenseOnes) {
  for (const ScalingRule rule : kSparseRules) {
    SCOPED_TRACE(scaling_name(rule));
    expect_kernels_of_dense(rule);
  }
}

TEST(SparseTables, HaveTheModelsOfDenseOnes) {
  for (const ScalingRule rule : kSparseRules) {
    SCOPED_TRACE(scaling_name(rule));
    expect_model_of_dense(rule);
  }
}

TEST(SparseTables, FillMissingCellsAsDenseOnes) {
  Dataset data = dense_data(61, 8);
  Matrix& values = data.table.values;
  for (std::size_t k = 0; k < values.values.size(); k += 17) values.values[k] = std::nan("");
  for (Index i = 0; i < values.rows; ++i) values(i, 3) = std::nan("");
  for (const MissingRule rule : {MissingRule::mean, MissingRule::median}) {
    TrainOptions options;
    options.missing = rule;
    options.kernels = {"linear on counts|words"};
    const Model expected = train(data, options, {}).model;
    const Model found = train(as_sparse(data), options, {}).model;
    EXPECT_EQ(found.scaling.fill, expected.scaling.fill);
    EXPECT_EQ(found.training_hash, expected.training_hash);
    EXPECT_TRUE(verify(found, as_sparse(data), {}).agrees);
  }
}

TEST(SparseTables, OfOtherSupportVectorsAreToldApart) {
  const Dataset data = as_sparse(dense_data(60, 5));
  TrainOptions options;
  options.kernels = {"linear on counts|words"};
  const Model model = train(data, options, {}).model;
  ASSERT_TRUE(verify(model, data, {}).agrees);
  Model larger = model;
  larger.sparse_support.values.front() += 1.0;
  EXPECT_FALSE(verify(larger, data, {}).agrees);
  Model fewer = model;
  fewer.sparse_support.values.pop_back();
  fewer.sparse_support.columns.pop_back();
  --fewer.sparse_support.starts.back();
  EXPECT_FALSE(verify(fewer, data, {}).agrees);
}

TEST(SparseTables, MustFitTheirColumns) {
  Dataset data = as_sparse(dense_data(10, 6));
  data.table.columns.pop_back();
  EXPECT_THROW(check_table(data.table), ParameterError);
  data = as_sparse(dense_data(10, 6));
  SparseMatrix unsorted = *data.table.sparse;
  std::swap(unsorted.columns[0], unsorted.columns[1]);
  data.table.sparse = std::make_shared<const SparseMatrix>(unsorted);
  EXPECT_THROW(check_table(data.table), ParameterError);
}

}  // namespace
}  // namespace kernmix
