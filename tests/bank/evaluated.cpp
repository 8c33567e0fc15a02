/// Banks of kernels that do not fit in memory and are evaluated anew in each pass.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include "bank/reference.hpp"
#include "base/memory/memory_text.hpp"
#include "base/samples.hpp"
#include "kernmix/bank/beyond_memory.hpp"
#include "kernmix/bank/build.hpp"
#include "kernmix/error.hpp"
#include "kernmix/solve.hpp"
#include "loss/any.hpp"
#include "regularizer/any.hpp"

namespace kernmix::test {
namespace {

constexpr Index kSamples = 150;
constexpr Index kKernels = 12;

/// Kernels of full rank and, among them, `factors` of low rank.
std::vector<Matrix> kernels_of_full_rank(Index factors) {
  std::vector<Matrix> kernels;
  for (Index m = 0; m < kKernels; ++m) {
    kernels.push_back(random_gram(kSamples, kSamples + 10, static_cast<unsigned>(m)));
    if (m < factors) kernels.push_back(random_gram(kSamples, 5, static_cast<unsigned>(100 + m)));
  }
  return kernels;
}

/// A budget with room for `triangles` of the dense kernels.
Context room_for(std::size_t triangles, const MemoryPlan& plan, bool double_precision) {
  const std::size_t triangle = packed_bytes(kSamples, double_precision);
  Context context;
  context.memory_bytes = plan.total() - (to_size(kKernels) - triangles) * triangle;
  return context;
}

struct BothBanks {
  std::unique_ptr<KernelBank> stored, evaluated;
  MemoryPlan plan;  ///< of the second
};

BothBanks both(const std::vector<Matrix>& kernels, const BankOptions& options,
               std::size_t triangles) {
  BothBanks banks;
  const std::vector<KernelSourcePtr> sources = sources_of(kernels);
  const std::vector<std::string> names = names_of(kernels);
  banks.stored = build_bank(sources, names, options, Context());
  banks.plan = plan_bank(sources, options, Context());
  const Context context = room_for(triangles, banks.plan, options.double_precision);
  evaluate_anew(banks.plan, kSamples, options.double_precision, context);
  EXPECT_LE(banks.plan.total(), context.memory_bytes);
  banks.evaluated = build_bank(sources, names, options, banks.plan, context);
  return banks;
}

/// Triangles that fit, double precision, kernels of low rank.
class Evaluated : public ::testing::TestWithParam<std::tuple<std::size_t, bool, Index>> {
 protected:
  [[nodiscard]] std::size_t triangles() const { return std::get<0>(GetParam()); }
  [[nodiscard]] BankOptions options() const {
    return {.double_precision = std::get<1>(GetParam())};
  }
  [[nodiscard]] BothBanks banks() const {
    return both(kernels_of_full_rank(std::get<2>(GetParam())), options(), triangles());
  }
};
INSTANTIATE_TEST_SUITE_P(
    Rooms, Evaluated,
    ::testing::Combine(::testing::Values(std::size_t{2}, std::size_t{5}, std::size_t{11}),
                       ::testing::Bool(), ::testing::Values(Index{0}, Index{2})));

Matrix random_panel(Index rows, double zero_share) {
  Matrix A(rows, kSamples);
  A.values = random_vector(rows * kSamples, 7, zero_share);
  return A;
}

TEST_P(Evaluated, KernelsBeyondTheBudgetAreNotStored) {
  const BothBanks banks = this->banks();
  const auto anew =
      std::ranges::count(banks.plan.kernels, StorageKind::evaluated, &MemoryPlan::Entry::kind);
  EXPECT_GE(anew, kKernels - static_cast<Index>(triangles()));
  EXPECT_LE(banks.evaluated->bytes(), banks.plan.total());
  EXPECT_LT(banks.evaluated->bytes(), banks.stored->bytes());
}

/// Of one vector, a few, and as many as take matrix products.
TEST_P(Evaluated, FormsAndProductsHaveTheBitsOfStoredKernels) {
  const BothBanks banks = this->banks();
  const std::vector<Index> all = every_kernel(*banks.stored);
  for (const Index rows : {1, 2, 40}) {
    for (const double zero_share : {0.0, 0.9}) {
      const Matrix A = random_panel(rows, zero_share);
      for (const Reach reach : {Reach::forms, Reach::support, Reach::everywhere}) {
        const Products of_stored = banks.stored->products(all, A, reach, Context());
        const Products found = banks.evaluated->products(all, A, reach, Context());
        EXPECT_EQ(found.forms.values, of_stored.forms.values);
        EXPECT_EQ(found.rows.values, of_stored.rows.values);
      }
    }
  }
}

TEST_P(Evaluated, EntriesAreThoseOfStoredKernels) {
  const BothBanks banks = this->banks();
  const std::vector<Index> rows = {3, 0, 149};
  const std::vector<Index> cols = {1, 148, 3, 77};
  for (const Index m : every_kernel(*banks.stored)) {
    Vector expected(rows.size() * cols.size());
    Vector found(expected.size());
    banks.stored->block(m, rows, cols, expected);
    banks.evaluated->block(m, rows, cols, found);
    EXPECT_EQ(found, expected);
  }
}

/// With few kernels of weight, which stay in memory, and with more than fit.
TEST_P(Evaluated, CombinationsAreThoseOfStoredKernels) {
  const BothBanks banks = this->banks();
  const Matrix A = random_panel(3, 0.3);
  for (const double zero_share : {0.9, 0.5, 0.0}) {
    Vector d = random_vector(banks.stored->kernels(), 3, zero_share);
    for (double& weight : d) weight = std::abs(weight);
    const auto expected = banks.stored->combined(d);
    const auto found = banks.evaluated->combined(d);
    EXPECT_EQ(found->columns(), expected->columns());
    const Matrix products = expected->times(A, Context());
    const Matrix own = found->times(A, Context());
    const double scale = largest(products.values);
    for (std::size_t i = 0; i < own.values.size(); ++i) {
      EXPECT_NEAR(own.values[i], products.values[i], 1e-12 * scale);
    }
    Vector whole(to_size(kSamples * kSamples));
    Vector own_whole(whole.size());
    const std::vector<Index> some = {5, 2, 90, 91};
    for (const std::vector<Index>& on : {all_samples(kSamples), some}) {
      const std::size_t size = on.size() * on.size();
      expected->matrix(on, MutableSpan(whole).first(size), Context());
      found->matrix(on, MutableSpan(own_whole).first(size), Context());
      for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(own_whole[i], whole[i], 1e-13 * scale);
    }
  }
}

TEST_P(Evaluated, AnyNumberOfThreadsGivesTheSameBits) {
  const BothBanks banks = this->banks();
  const std::vector<Index> all = every_kernel(*banks.stored);
  const Vector d(all.size(), 0.5);
  Context several;
  several.threads = 3;
  const Matrix A = random_panel(2, 0.5);
  EXPECT_EQ(banks.evaluated->products(all, A, Reach::everywhere, several).rows.values,
            banks.evaluated->products(all, A, Reach::everywhere, Context()).rows.values);
  EXPECT_EQ(banks.evaluated->combined(d)->times(A, several).values,
            banks.evaluated->combined(d)->times(A, Context()).values);
}

TEST_P(Evaluated, SomeSamplesHaveTheirPartOfTheKernels) {
  const BothBanks banks = this->banks();
  const std::vector<Index> samples = {0, 4, 5, 60, 149};
  const auto expected = banks.stored->restricted(samples, Context());
  const auto found = banks.evaluated->restricted(samples, Context());
  const Vector a = random_vector(length(samples), 9);
  EXPECT_EQ(all_forms(*found, a, Context()), all_forms(*expected, a, Context()));
}

TEST_P(Evaluated, PassesEndWithTheDeadlineAndTheSignal) {
  const BothBanks banks = this->banks();
  const std::vector<Index> all = every_kernel(*banks.stored);
  const Matrix A = random_panel(1, 0.0);
  const Vector d(all.size(), 0.5);
  Context late;
  late.deadline = std::chrono::steady_clock::now() - std::chrono::hours(1);
  const std::atomic<bool> signal = true;
  Context cancelled;
  cancelled.cancelled = &signal;
  for (const Context& stopped : {late, cancelled}) {
    EXPECT_THROW((void)banks.evaluated->products(all, A, Reach::everywhere, stopped),
                 ResourceError);
    EXPECT_THROW((void)banks.evaluated->products(all, A, Reach::forms, stopped), ResourceError);
    EXPECT_THROW((void)banks.evaluated->combined(d)->times(A, stopped), ResourceError);
  }
  EXPECT_EQ(all_forms(*banks.evaluated, A.values, Context()),
            all_forms(*banks.stored, A.values, Context()));
}

/// A pass that begins before the deadline may end after it.
TEST_P(Evaluated, PassesHaveTheirMeasuredTime) {
  const BothBanks banks = this->banks();
  const double seconds = evaluation_seconds(*banks.evaluated);
  EXPECT_GT(seconds, 0.0);
  EXPECT_EQ(evaluation_seconds(*banks.stored), 0.0);
  const std::vector<Index> half = index_range(0, kSamples / 2);
  EXPECT_DOUBLE_EQ(evaluation_seconds(*banks.evaluated->restricted(half, Context())),
                   seconds / 4.0);
}

TEST_P(Evaluated, ZerosNeedNoKernel) {
  const BothBanks banks = this->banks();
  const std::vector<Index> all = every_kernel(*banks.stored);
  const Matrix A(2, kSamples);
  for (const Reach reach : {Reach::forms, Reach::everywhere}) {
    const Products of_stored = banks.stored->products(all, A, reach, Context());
    const Products found = banks.evaluated->products(all, A, reach, Context());
    EXPECT_EQ(found.forms.values, of_stored.forms.values);
    EXPECT_EQ(found.rows.values, of_stored.rows.values);
  }
}

/// Stopped in its third iteration, a solve returns the best answer before.
TEST_P(Evaluated, ASolveThatIsStoppedKeepsItsBestAnswer) {
  const BothBanks banks = this->banks();
  Vector y = random_vector(kSamples, 11);
  for (double& value : y) value = value > 0.0 ? 1.0 : -1.0;
  const Problem problem(*banks.evaluated, Hinge{}, L1{}, y, Vector(y.size(), 10.0));
  std::atomic<bool> signal = false;
  double reported = 1.0;
  Context context;
  context.cancelled = &signal;
  context.progress = [&](const Progress& moment) {
    reported = moment.relative_gap;
    signal = moment.done == 3;
  };
  SolverOptions options;
  options.tolerance = 1e-10;
  const Answer answer = solve(problem, options, context);
  EXPECT_EQ(answer.status, Status::interrupted);
  EXPECT_EQ(answer.history.size(), 3U);
  // Reported on K(d) in single precision.
  EXPECT_LE(answer.certificate.relative_gap(), reported + 1e-4);
  EXPECT_LT(answer.certificate.relative_gap(), 1.0);
}

TEST(EvaluateAnew, ChangesNoPlanThatFitsOrHasNoRoomForTwoTriangles) {
  const std::vector<KernelSourcePtr> sources = sources_of(kernels_of_full_rank(1));
  const MemoryPlan plan = plan_bank(sources, BankOptions(), Context());
  for (const std::size_t triangles : {to_size(kKernels), std::size_t{1}}) {
    MemoryPlan same = plan;
    const Context context = room_for(triangles, plan, false);
    evaluate_anew(same, kSamples, false, context);
    EXPECT_EQ(same.total(), plan.total());
    EXPECT_EQ(same.batch_bytes, 0U);
  }
}

TEST(EvaluateAnew, TheLeastBudgetOfARefusalIsEnough) {
  const std::vector<KernelSourcePtr> sources = sources_of(kernels_of_full_rank(1));
  MemoryPlan plan = plan_bank(sources, BankOptions(), Context());
  Context context = room_for(1, plan, false);
  evaluate_anew(plan, kSamples, false, context);
  try {
    require_memory(plan, context);
    FAIL() << "no refusal";
  } catch (const ResourceError& refusal) {
    const std::string sentence = refusal.what();
    EXPECT_NE(sentence.find("at least " + enough_memory_text(plan.least_bytes)), std::string::npos)
        << sentence;
    EXPECT_NE(sentence.find("--landmarks"), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find(" 0 "), std::string::npos) << sentence;
  }
  context.memory_bytes = plan.least_bytes;
  evaluate_anew(plan, kSamples, false, context);
  EXPECT_NO_THROW(require_memory(plan, context));
}

}  // namespace
}  // namespace kernmix::test
