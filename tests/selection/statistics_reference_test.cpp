/// \file
/// Ranks and tests against scipy's values: reference/statistics.json, which
/// reference/generate_statistics.py writes.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "kernmix/selection/statistics.hpp"

namespace kernmix::testing {
namespace {

using StatisticsJson = nlohmann::json;

StatisticsJson statistics_reference(const std::string& kind) {
  std::ifstream stream(KERNMIX_SOURCE_DIR "/tests/selection/reference/statistics.json");
  return StatisticsJson::parse(stream).at(kind);
}

Vector numbers_of_json(const StatisticsJson& list) { return list.get<Vector>(); }

double number_at(const StatisticsJson& one, const char* key) { return one.at(key).get<double>(); }

Matrix scores_of_json(const StatisticsJson& rows) {
  Matrix scores(length(rows), length(rows.at(0)));
  for (Index i = 0; i < scores.rows; ++i) {
    for (Index j = 0; j < scores.cols; ++j) scores(i, j) = rows[to_size(i)][to_size(j)];
  }
  return scores;
}

TEST(Friedman, AgreesWithScipy) {
  for (const StatisticsJson& one : statistics_reference("friedman")) {
    const Matrix scores = scores_of_json(one.at("scores"));
    const FriedmanTest test = friedman_test(scores);
    EXPECT_NEAR(test.chi_squared, number_at(one, "chi_squared"), 1e-10);
    EXPECT_NEAR(test.p, number_at(one, "p"), 1e-12);
    EXPECT_NEAR(test.f, number_at(one, "f"), 1e-9 * (1.0 + test.f));
    EXPECT_NEAR(test.f_p, number_at(one, "f_p"), 1e-12);
    const Vector expected = numbers_of_json(one.at("ranks"));
    const Vector mean = average_ranks(scores, true);
    ASSERT_EQ(mean.size(), expected.size());
    for (std::size_t j = 0; j < mean.size(); ++j) EXPECT_NEAR(mean[j], expected[j], 1e-12);
  }
}

TEST(SignedRanks, AgreeWithScipy) {
  for (const StatisticsJson& one : statistics_reference("signed_ranks")) {
    const SignedRankTest test = signed_rank_test(numbers_of_json(one.at("differences")));
    EXPECT_EQ(test.larger, number_at(one, "larger"));
    EXPECT_EQ(test.smaller, number_at(one, "smaller"));
    EXPECT_NEAR(test.p, number_at(one, "p"), 1e-12) << test.pairs << " pairs";
    EXPECT_EQ(test.exact, test.pairs <= 50);
  }
}

TEST(CorrectedTTest, AgreesWithItsFormulaInScipy) {
  for (const StatisticsJson& one : statistics_reference("corrected_t")) {
    const CorrectedTTest test =
        corrected_t_test(numbers_of_json(one.at("differences")), number_at(one, "test_over_train"),
                         number_at(one, "level"));
    ASSERT_TRUE(test.t && test.p && test.low && test.high);
    EXPECT_NEAR(*test.t, number_at(one, "t"), 1e-10);
    EXPECT_NEAR(*test.p, number_at(one, "p"), 1e-10);
    EXPECT_NEAR(*test.low, number_at(one, "low"), 1e-8);
    EXPECT_NEAR(*test.high, number_at(one, "high"), 1e-8);
  }
}

// scipy integrates to about 1e-10 itself.
TEST(StudentizedRange, AgreesWithScipy) {
  for (const StatisticsJson& one : statistics_reference("range")) {
    const double probability = number_at(one, "probability");
    EXPECT_NEAR(range_probability(number_at(one, "q"), one.at("k")), probability, 1e-9);
  }
}

TEST(Holm, AgreesWithItsDefinition) {
  for (const StatisticsJson& one : statistics_reference("holm")) {
    const Vector adjusted = holm(numbers_of_json(one.at("p")));
    const Vector expected = numbers_of_json(one.at("adjusted"));
    ASSERT_EQ(adjusted.size(), expected.size());
    for (std::size_t i = 0; i < adjusted.size(); ++i) EXPECT_NEAR(adjusted[i], expected[i], 1e-14);
  }
}

}  // namespace
}  // namespace kernmix::testing
