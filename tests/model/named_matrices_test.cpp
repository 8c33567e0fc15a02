/// Matrices with names of samples give the bits of matrices in the order of the table.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "base/samples.hpp"
#include "data/temporary_file.hpp"
#include "kernmix/error.hpp"
#include "kernmix/folds.hpp"
#include "kernmix/selection/cross_validation.hpp"
#include "model/toy_data.hpp"

namespace kernmix {
namespace {

using Names = std::vector<std::string>;

constexpr Index kSamples = 24;
constexpr Index kNew = 5;

/// Samples s0, s1, ... of training, then new ones, then others.
struct Samples {
  Dataset all = toy_data(kSamples + kNew + 6, 3);
  Names names = all.table.ids;

  [[nodiscard]] double entry(Index i, Index j) const {
    double sum = 0.0;
    for (Index k = 0; k < 5; ++k) {
      const double d = all.table.values(i, k) - all.table.values(j, k);
      sum += d * d;
    }
    return std::exp(-sum / 60.0);
  }

  [[nodiscard]] GivenMatrix matrix(const std::vector<Index>& rows,
                                   const std::vector<Index>& columns) const {
    auto values = std::make_shared<Matrix>(length(rows), length(columns));
    for (Index i = 0; i < values->rows; ++i) {
      for (Index j = 0; j < values->cols; ++j) {
        (*values)(i, j) = entry(rows[to_size(i)], columns[to_size(j)]);
      }
    }
    return values;
  }

  [[nodiscard]] GivenMatrix named(const std::vector<Index>& rows,
                                  const std::vector<Index>& columns) const {
    GivenMatrix given = matrix(rows, columns);
    given.set_names({entries_at(names, rows), entries_at(names, columns)});
    return given;
  }

  [[nodiscard]] Dataset data(const std::vector<Index>& rows, GivenMatrix matrix) const {
    Dataset result;
    result.table.source = "y.csv";
    result.table.labels = entries_at(all.table.labels, rows);
    result.table.ids = entries_at(names, rows);
    result.table.values.rows = length(rows);
    result.matrices = {{"K", KernelInput::gram, std::move(matrix)}};
    return result;
  }
};

/// The samples first, first + 1, ... and any others, in any order.
std::vector<Index> drawn(Index first, Index count, Index all, std::mt19937& engine) {
  std::vector<Index> order;
  for (Index i = 0; i < all; ++i) {
    const bool wanted = i >= first && i < first + count;
    if (wanted || engine() % 2 == 0) order.push_back(i);
  }
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[engine() % i]);
  return order;
}

Vector held_out(const Dataset& data) {
  const auto folds = plain_folds(kSamples, {.folds = 3});
  Vector decisions;
  const CrossValidation found = cross_validate(data, {TrainOptions()}, folds, {});
  for (const auto& model : found.models.front()) {
    const Vector& own = model.prediction.decision.values;
    decisions.insert(decisions.end(), own.begin(), own.end());
  }
  return decisions;
}

RC_GTEST_PROP(NamedMatrices, TheJoinFindsEverySample, (unsigned seed)) {
  const Samples samples;
  const Index all = length(samples.names);
  std::mt19937 engine(seed);
  std::vector<Index> wanted = drawn(0, 1, all, engine);
  std::vector<Index> rows = drawn(0, all, all, engine);
  std::vector<Index> columns = drawn(0, all, all, engine);
  Dataset training = samples.data(wanted, samples.named(rows, columns));
  join_training_matrices(training);
  RC_ASSERT(training.matrices.front().matrix.whole().values ==
            samples.matrix(wanted, wanted).whole().values);
  RC_ASSERT(training.table.notes.size() == (length(wanted) == all ? 0U : 1U));
  Dataset fresh = samples.data(wanted, samples.named(rows, columns));
  join_new_matrices(fresh);
  RC_ASSERT(fresh.matrices.front().matrix.whole().values ==
            samples.matrix(wanted, columns).whole().values);
}

TEST(NamedMatrices, AnyOrderAndMoreSamplesGiveTheBitsOfThePlainOrder) {
  const Samples samples;
  const Index all = length(samples.names);
  const std::vector<Index> training = index_range(0, kSamples);
  const std::vector<Index> fresh = index_range(kSamples, kSamples + kNew);
  const Dataset plain = samples.data(training, samples.matrix(training, training));
  const Model expected = train(plain, {}, {}).model;
  const Vector decisions =
      predict(expected, samples.data(fresh, samples.matrix(fresh, training)), {}).decision.values;
  const Vector held = held_out(plain);
  std::mt19937 engine(7);
  for (int draw = 0; draw < 4; ++draw) {
    const std::vector<Index> rows = drawn(0, kSamples, all, engine);
    std::vector<Index> columns = rows;
    std::ranges::reverse(columns);
    Dataset named = samples.data(training, samples.named(rows, columns));
    join_training_matrices(named);
    const Model model = train(named, {}, {}).model;
    EXPECT_EQ(encode_model(model), encode_model(expected));
    EXPECT_TRUE(verify(model, named, {}).agrees);
    EXPECT_EQ(held_out(named), held);
    Dataset others = samples.data(
        fresh, samples.named(drawn(kSamples, kNew, all, engine), drawn(0, kSamples, all, engine)));
    join_new_matrices(others);
    EXPECT_EQ(predict(model, others, {}).decision.values, decisions);
  }
}

/// The matrix of the training samples with other names.
Dataset with_names(const Samples& samples, Names rows, Names columns) {
  const std::vector<Index> training = index_range(0, kSamples);
  Dataset data = samples.data(training, samples.matrix(training, training));
  data.matrices.front().matrix.set_names({std::move(rows), std::move(columns)});
  return data;
}

std::string refusal(Dataset data) {
  return error_of([&] { join_training_matrices(data); });
}

Names with(Names names, std::size_t place, const std::string& name) {
  names[place] = name;
  return names;
}

Names counted(const std::string& start, int first) {
  Names names;
  for (int i = 0; i < kSamples; ++i) names.push_back(start + std::to_string(first + i));
  return names;
}

TEST(NamedMatrices, NamesThatDoNotFitAreRefused) {
  const Samples samples;
  const Names own(samples.names.begin(), samples.names.begin() + kSamples);
  const Names other = with(own, 4, "P4");
  EXPECT_EQ(refusal(with_names(samples, other, other)),
            "matrix 'K': 1 of the 24 samples of the table have no row, for example 's4'; the "
            "matrix has 'P4', for example, which is not one of them");
  EXPECT_NE(refusal(with_names(samples, own, other)).find("row 's4', and column 'P4'"),
            std::string::npos);
  EXPECT_NE(
      refusal(with_names(samples, with(own, 4, "s5"), own)).find("rows 5 and 6 have the same"),
      std::string::npos);
  EXPECT_NE(refusal(with_names(samples, with(own, 4, "4 a"), with(own, 4, "X4.a")))
                .find("R's check.names = FALSE"),
            std::string::npos);
  Dataset without = with_names(samples, own, own);
  without.table.ids.clear();
  EXPECT_NE(refusal(without).find("name the column of ids with --id;"), std::string::npos);
}

TEST(NamedMatrices, TheColumnWithTheNamesIsSuggested) {
  const Samples samples;
  const Names numbers = counted("", 100);
  Dataset data = with_names(samples, numbers, numbers);
  data.table.ids.clear();
  data.table.columns = {"pid"};
  data.table.values = Matrix(kSamples, 1);
  for (Index i = 0; i < kSamples; ++i) data.table.values(i, 0) = 100.0 + static_cast<double>(i);
  EXPECT_NE(refusal(data).find("here --id pid"), std::string::npos);
}

TEST(NamedMatrices, NamesThatOnlyCountAreNoNames) {
  const Samples samples;
  for (const auto& [rows, columns] : {std::pair{counted("", 1), counted("V", 1)},
                                      {counted("", 0), counted("", 0)},
                                      {counted("", 1), counted("X", 1)}}) {
    Dataset data = with_names(samples, rows, columns);
    join_training_matrices(data);
    EXPECT_EQ(data.table.notes.size(), 1U);  // rows are matched by position
    EXPECT_EQ(data.table.ids.front(), "s0");
    EXPECT_EQ(train(data, {}, {}).model.training_samples, kSamples);
    data = with_names(samples, rows, columns);
    data.table.ids.clear();
    join_training_matrices(data);
    EXPECT_TRUE(data.table.notes.empty());
  }
}

/// Ids are there to compare orders, and a matrix without names has none.
TEST(NamedMatrices, WithoutNamesAreNotedBesideATableWithIds) {
  const Samples samples;
  const std::vector<Index> training = index_range(0, kSamples);
  for (const bool has_ids : {true, false}) {
    Dataset data = samples.data(training, samples.matrix(training, training));
    data.table.source = "labels.csv";
    if (!has_ids) data.table.ids.clear();
    join_training_matrices(data);
    ASSERT_EQ(data.table.notes.size(), has_ids ? 1U : 0U);
    if (!has_ids) continue;
    EXPECT_NE(data.table.notes.front().find("has no names of samples: its rows are taken in the "
                                            "order of labels.csv"),
              std::string::npos)
        << data.table.notes.front();
  }
}

TEST(NamedMatrices, NamesThatCountAreIdsWhereTheTableHasThem) {
  const Samples samples;
  const Names numbers = counted("", 1);
  Dataset data = with_names(samples, numbers, counted("V", 1));
  Names reversed(numbers.rbegin(), numbers.rend());
  data.table.ids = reversed;
  join_training_matrices(data);
  EXPECT_EQ(data.matrices.front().matrix.whole()(0, 0), samples.entry(kSamples - 1, kSamples - 1));
  EXPECT_EQ(data.matrices.front().matrix.whole()(0, 1), samples.entry(kSamples - 1, kSamples - 2));
}

TEST(NamedMatrices, WholeNumbersInARowOrAColumnTooManyAreNames) {
  const Samples samples;
  const std::vector<Index> training = index_range(0, kSamples);
  const Matrix plain = samples.matrix(training, training).whole();
  for (const bool in_row : {true, false}) {
    Matrix more(kSamples + (in_row ? 1 : 0), kSamples + (in_row ? 0 : 1));
    for (Index i = 0; i < kSamples; ++i) {
      (in_row ? more(0, i) : more(i, 0)) = 1000.0 + 7.0 * static_cast<double>(i);
      for (Index j = 0; j < kSamples; ++j) {
        more(i + (in_row ? 1 : 0), j + (in_row ? 0 : 1)) = plain(i, j);
      }
    }
    Dataset data = samples.data(training, GivenMatrix(more));
    data.table.ids.clear();
    for (Index i = kSamples; i-- > 0;) data.table.ids.push_back(std::to_string(1000 + 7 * i));
    join_training_matrices(data);
    const GivenMatrix& joined = data.matrices.front().matrix;
    ASSERT_EQ(joined.rows(), kSamples);
    ASSERT_EQ(joined.cols(), kSamples);
    EXPECT_EQ(joined.whole()(0, 1), plain(kSamples - 1, kSamples - 2));
    EXPECT_EQ(joined.whole()(2, 0), plain(kSamples - 3, kSamples - 1));
  }
}

TEST(NamedMatrices, WithoutATableTheyNameTheSamples) {
  const Samples samples;
  const std::vector<Index> training = index_range(0, kSamples);
  const std::vector<Index> more = index_range(0, kSamples + 3);
  Dataset data;
  data.matrices = {{"a", KernelInput::gram, samples.named(training, training)},
                   {"b", KernelInput::gram, samples.named(more, more)}};
  join_training_matrices(data);
  EXPECT_EQ(data.table.ids, entries_at(samples.names, training));
  EXPECT_EQ(data.matrices[1].matrix.rows(), kSamples);
}

TEST(NamedMatrices, TrainingAndPredictionCheckTheOrder) {
  const Samples samples;
  const std::vector<Index> training = index_range(0, kSamples);
  std::vector<Index> reversed(training.rbegin(), training.rend());
  const Dataset shuffled = samples.data(training, samples.named(reversed, reversed));
  EXPECT_THROW((void)train(shuffled, {}, {}), DataError);
  EXPECT_THROW((void)train(samples.data(training, samples.named(training, reversed)), {}, {}),
               DataError);
  const Model model =
      train(samples.data(training, samples.named(training, training)), {}, {}).model;
  std::vector<Index> lacking = training;
  std::erase(lacking, model.support.front());
  const std::vector<Index> fresh = index_range(kSamples, kSamples + kNew);
  const std::string missing = error_of([&] {
    static_cast<void>(predict(model, samples.data(fresh, samples.named(fresh, lacking)), {}));
  });
  EXPECT_NE(missing.find("support vectors of the model have no column"), std::string::npos)
      << missing;
  Model nameless = model;
  nameless.support_ids.clear();
  EXPECT_THROW((void)predict(nameless, samples.data(fresh, samples.named(fresh, training)), {}),
               DataError);
}

/// A model of the first samples with numbers as ids, the first of them `first`.
struct NumberedModel {
  Samples samples;
  Model model;
  Dataset fresh;
  Vector decisions;

  NumberedModel(Names ids, const TrainOptions& options) {
    const std::vector<Index> training = index_range(0, kSamples);
    Dataset data = samples.data(training, samples.matrix(training, training));
    data.table.ids = std::move(ids);
    model = train(data, options, {}).model;
    const std::vector<Index> rows = index_range(kSamples, kSamples + kNew);
    fresh = samples.data(rows, samples.matrix(rows, training));
    decisions = predict(model, fresh, {}).decision.values;
  }

  [[nodiscard]] Vector with_columns(Names names) const {
    Dataset named = fresh;
    named.matrices.front().matrix.set_names({{}, std::move(names)});
    return predict(model, named, {}).decision.values;
  }
};

TEST(NamedMatrices, ColumnsThatCountArePositionsOfIdsThatCount) {
  for (const int first : {0, 1}) {
    const NumberedModel numbered(counted("", first), {});
    for (const char* const start : {"", "V", "X"}) {
      EXPECT_EQ(numbered.with_columns(counted(start, 0)), numbered.decisions);
      EXPECT_EQ(numbered.with_columns(counted(start, 1)), numbered.decisions);
    }
  }
}

TEST(NamedMatrices, ColumnsFromZeroAreNoIdsInAnotherOrderWithoutZero) {
  NumberedModel numbered(counted("", 1), {});
  Names& ids = numbered.model.support_ids;
  ASSERT_GE(ids.size(), 2U);
  // All ids are names of columns 0, 1, ..., none is 0, and their order is not that of the columns.
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = std::to_string(ids.size() - i);
  if (length(ids) == kSamples) GTEST_SKIP() << "all samples are support vectors";
  const std::string error =
      error_of([&] { static_cast<void>(numbered.with_columns(counted("", 0))); });
  EXPECT_NE(error.find("may be positions or ids"), std::string::npos) << error;
}

TEST(NamedMatrices, RepairedKernelsTakeNoNamesOfColumns) {
  Samples samples;
  const std::vector<Index> training = index_range(0, kSamples);
  Matrix indefinite = samples.matrix(training, training).whole();
  for (Index i = 0; i < kSamples; ++i) indefinite(i, i) -= 0.5;
  for (const Repair rule : {Repair::clip, Repair::flip}) {
    TrainOptions options;
    options.repair = rule;
    const Model model = train(samples.data(training, GivenMatrix(indefinite)), options, {}).model;
    if (length(model.support) == kSamples) continue;
    std::vector<Index> order = training;
    std::vector<Index> others;
    for (const Index i : training) {
      if (std::ranges::find(model.support, i) == model.support.end()) others.push_back(i);
    }
    ASSERT_GE(others.size(), 2U);
    std::swap(order[to_size(others[0])], order[to_size(others[1])]);
    const std::vector<Index> fresh = index_range(kSamples, kSamples + kNew);
    const std::string error = error_of([&] {
      static_cast<void>(predict(model, samples.data(fresh, samples.named(fresh, order)), {}));
    });
    EXPECT_NE(error.find("give the columns in training order without names"), std::string::npos)
        << error;
  }
}

TEST(NamedMatrices, AFirstColumnOfIdsNamesTheRows) {
  const Samples samples;
  const std::vector<Index> training = index_range(0, kSamples);
  const std::vector<Index> fresh = index_range(kSamples, kSamples + kNew);
  const Matrix plain = samples.matrix(fresh, training).whole();
  Matrix more(kNew, kSamples + 1);
  for (Index i = 0; i < kNew; ++i) {
    more(i, 0) = 1000.0 + static_cast<double>(i);
    for (Index j = 0; j < kSamples; ++j) more(i, j + 1) = plain(i, j);
  }
  Names columns = entries_at(samples.names, training);
  columns.insert(columns.begin(), "id");
  GivenMatrix matrix(more);
  matrix.set_names({{}, columns});
  Dataset data = samples.data(fresh, matrix);
  for (std::size_t i = 0; i < kNew; ++i) data.table.ids[i] = std::to_string(1004 - i);
  join_new_matrices(data);
  ASSERT_EQ(data.matrices.front().matrix.cols(), kSamples);
  EXPECT_EQ(data.matrices.front().matrix.whole()(0, 0), plain(kNew - 1, 0));
  EXPECT_TRUE(data.table.notes.empty());
  Dataset other = samples.data(fresh, matrix);  // the ids of the table are other ones
  join_new_matrices(other);
  ASSERT_EQ(other.table.notes.size(), 1U);
  EXPECT_NE(other.table.notes.front().find("first column 'id'"), std::string::npos);
}

TEST(NamedMatrices, WithoutATableMatricesWithoutNamesAreNoted) {
  const Samples samples;
  const std::vector<Index> training = index_range(0, kSamples);
  for (const bool first : {true, false}) {
    Dataset data;
    data.matrices = {{"a", KernelInput::gram, samples.matrix(training, training)},
                     {"b", KernelInput::gram, samples.named(training, training)}};
    if (!first) std::swap(data.matrices[0], data.matrices[1]);
    Dataset fresh = data;
    join_training_matrices(data);
    join_new_matrices(fresh);
    for (const Dataset& joined : {data, fresh}) {
      ASSERT_EQ(joined.table.notes.size(), 1U);
      EXPECT_NE(joined.table.notes.front().find("matrix 'a' has no names"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace kernmix
