// What is no proof is not reported as one: bounds that contradict each other, or are not finite;
// and runs whose tolerance rounding alone exceeds end, and say why.

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>

#include "bank/reference.hpp"
#include "kernmix/bank/plan.hpp"
#include "kernmix/error.hpp"
#include "model/file/model_container.hpp"
#include "model/solving/certified_solve.hpp"
#include "model/toy_data.hpp"

namespace kernmix {
namespace {

Bounds bounds(double primal, double dual) {
  Bounds result{.primal = primal, .dual = dual};
  result.set_gap(0.0);
  return result;
}

ErrorKind refusal(const Bounds& certificate) {
  try {
    static_cast<void>(exact_status(certificate, Status::converged, 1e-3));
  } catch (const Error& failure) {
    return failure.kind();
  }
  ADD_FAILURE() << certificate.primal << ", " << certificate.dual;
  return ErrorKind::resource;
}

TEST(ReportedBounds, ThatContradictEachOtherAreADefect) {
  EXPECT_EQ(refusal(bounds(-109.5, 1.0078)), ErrorKind::internal);
  EXPECT_EQ(refusal(bounds(1.0, 1.0 + 1e-15)), ErrorKind::internal);
  EXPECT_EQ(exact_status(bounds(1.0, 1.0), Status::stalled, 1e-3), Status::converged);
}

TEST(ReportedBounds, ThatAreNotFiniteBlameTheData) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal(bounds(infinity, 1.0)), ErrorKind::data);
  EXPECT_EQ(refusal(bounds(std::nan(""), 1.0)), ErrorKind::data);
  EXPECT_EQ(refusal(bounds(1.0, -infinity)), ErrorKind::data);
}

// No gap hides behind max(P - D, 0): weights outside of D make the primal of distances fall below
// what the dual proves.
TEST(ReportedBounds, OfAnAlteredModelAreRefusedByVerify) {
  Dataset data = toy_data(60, 5);
  data.table.labels.clear();
  TrainOptions options;
  options.kernels = {"rbf(gamma=2^-4..2^-1) on a|b"};
  options.loss = "svdd:nu=0.3";
  Model model = train(data, options, {}).model;
  ASSERT_TRUE(verify(model, data, {}).agrees);
  for (ModelKernel& kernel : model.kernels) kernel.weight *= 10.0;
  bool refused = false;
  try {
    model.certificate = verify(model, data, {}).recomputed;
    refused = !verify(model, data, {}).agrees;
  } catch (const Error&) {
    refused = true;
  }
  EXPECT_TRUE(refused);
}

/// An answer that converged on the stored kernels, with a gap on the exact ones of which rounding
/// is so much.
CertifiedAnswer missed(double gap, double slack) {
  CertifiedAnswer answer;
  Certificate& certificate = answer.exact.certificate;
  certificate.primal = 1.0;
  certificate.dual = 1.0 - gap;
  certificate.slack = slack;
  certificate.set_gap(gap);
  answer.solution.status = Status::stalled;
  answer.converged_on_bank = true;
  return answer;
}

// Solving again closes a gap that stored kernels hid, and none that rounding leaves.
TEST(ReportedBounds, ThatRoundingKeepsApartEndTheRun) {
  std::string log;
  Context context;
  context.log = [&](std::string_view sentence) { log += sentence; };
  MemoryPlan plan;
  Timings seconds;
  StoredKernels kernels{{std::make_shared<test::DenseSource>(test::random_gram(8, 8, 1))}, {"K"}};
  KernelStore store(
      kernels, [](const MemoryPlan&) { return SolverMemory{}; }, {1e-9, 1.0}, context, plan,
      seconds);
  SolverOptions options;
  options.tolerance = 1e-9;
  for (const double slack : {1e-10, 2e-9}) {
    Index attempts = 0;
    static_cast<void>(solve_until_exact(store, options, [&](const SolverOptions&) {
      ++attempts;
      return missed(3e-9, slack);
    }));
    EXPECT_EQ(attempts, slack > options.tolerance ? 1 : 3);
  }
  EXPECT_NE(log.find("rounding alone leaves a relative gap of 2e-09"), std::string::npos) << log;
}

// What the run of an answer says, file and JSON say: with the size that its gap is relative to.
TEST(ReportedBounds, KeepTheirLeastSizeInTheFile) {
  Dataset data = toy_data(40, 7);
  data.table.labels.clear();
  TrainOptions options;
  options.kernels = {"rbf(gamma=2^-2..2^1) on a|b"};
  options.loss = "one-class:nu=0.3";
  const Model model = train(data, options, {}).model;
  const Model back = decode_model(encode_model(model));
  EXPECT_GT(back.certificate.least_size, 0.0);
  EXPECT_EQ(back.certificate.least_size, model.certificate.least_size);
  EXPECT_TRUE(verify(back, data, {}).agrees);
}

// Centred kernels map the mean of all samples to zero: the optimum is zero, found and verified.
TEST(ReportedBounds, OfZeroAreFoundOnCentredKernels) {
  Dataset data = toy_data(80, 8);
  data.table.labels.clear();
  TrainOptions options;
  options.kernels = {"rbf(gamma=2^-2..2^1) on a|b, each"};
  options.loss = "one-class:nu=0.1";
  options.normalization = parse_normalization("center+trace");
  Context context;
  context.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  const TrainResult result = train(data, options, context);
  EXPECT_EQ(result.status, Status::converged);
  EXPECT_LE(result.model.certificate.gap, 1e-3 * result.model.certificate.least_size);
  EXPECT_TRUE(verify(result.model, data, {}).agrees);
}

}  // namespace
}  // namespace kernmix
