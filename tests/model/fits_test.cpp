/// \file
/// The loop that trains many models: its threads, memory, progress, time and order.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <random>
#include <set>

#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "kernmix/settings.hpp"
#include "kernmix/training.hpp"
#include "model/fits/in_time.hpp"
#include "model/fits/part_fits.hpp"
#include "model/fits/side_by_side.hpp"
#include "model/toy_data.hpp"

namespace kernmix {
namespace {

TEST(Fits, PartsStayWithinThreadsAndMemory) {
  std::mt19937 engine(1);
  const auto draw = [&](std::size_t most) { return engine() % (most + 1); };
  for (int trial = 0; trial < 300; ++trial) {
    Context context;
    context.threads = 1 + static_cast<int>(draw(5));
    context.memory_bytes = draw(3) == 0 ? 0 : 1 + draw(1000);
    const ManyParts parts{.count = static_cast<Index>(draw(12)),
                          .stage = "parts",
                          .held = draw(300),
                          .each = draw(400)};
    Index reported = 0;
    context.progress = [&](const Progress& moment) {
      EXPECT_EQ(moment.stage, "parts");
      EXPECT_EQ(moment.total, parts.count);
      EXPECT_EQ(moment.done, ++reported);
    };
    context.log = [](std::string_view) {};
    std::vector<std::atomic<int>> runs(static_cast<std::size_t>(parts.count));
    const std::size_t limit = context.memory_bytes;
    const std::size_t left = limit > parts.held ? limit - parts.held : 1;
    const bool all = for_each_part(context, parts, [&](Index i, const Context& one) {
      ++runs[static_cast<std::size_t>(i)];
      const bool beside_others = one.log == nullptr;
      EXPECT_EQ(one.threads, beside_others ? 1 : context.threads);
      EXPECT_TRUE(!beside_others || (context.threads > 1 && parts.count > 1));
      EXPECT_EQ(one.progress, nullptr);
      if (limit == 0) {
        EXPECT_EQ(one.memory_bytes, 0U);
      } else if (beside_others) {
        EXPECT_GE(one.memory_bytes, std::max<std::size_t>(parts.each, 1));
        EXPECT_LE(one.memory_bytes, std::max<std::size_t>(left / 2, 1));
      } else {
        EXPECT_EQ(one.memory_bytes, left);
      }
      return true;
    });
    EXPECT_TRUE(all);
    EXPECT_EQ(reported, parts.count);
    for (const auto& count : runs) EXPECT_EQ(count, 1);
  }
}

TEST(Fits, APartThatIsNotFinishedIsNotCounted) {
  for (int threads = 1; threads <= 3; ++threads) {
    Context context;
    context.threads = threads;
    Index reported = 0;
    context.progress = [&](const Progress&) { ++reported; };
    EXPECT_FALSE(for_each_part(context, {.count = 7, .stage = "parts"},
                               [](Index i, const Context&) { return i != 4; }));
    EXPECT_EQ(reported, 6);
  }
}

TEST(Fits, ErrorsOfModelsThatWereStoppedAreNone) {
  std::atomic<bool> cancelled = false;
  Context context;
  context.cancelled = &cancelled;
  const auto fail = [&]() -> std::optional<int> { throw ResourceError("no memory"); };
  const auto stop = [&]() -> std::optional<int> {
    cancelled = true;
    throw ResourceError("interrupted");
  };
  try {
    (void)in_time(context, "fold 2", fail);
    FAIL();
  } catch (const ResourceError& error) {
    EXPECT_STREQ(error.what(), "fold 2: no memory");
  }
  EXPECT_EQ(in_time(context, "fold 2", stop), std::nullopt);
  bool begun = false;
  EXPECT_EQ(in_time(context, "", [&] { return std::optional(begun = true); }), std::nullopt);
  EXPECT_FALSE(begun);
}

/// A model that is of use only when finished reads no kernel once time is up.
TEST(Fits, AModelIsAbandonedWhenTimeIsUp) {
  const Dataset data = toy_data(60, 3);
  const std::vector<Fold> folds = {{.train = index_range(0, 40), .test = index_range(40, 60)}};
  for (const Purpose purpose : {Purpose::only, Purpose::answer, Purpose::score}) {
    Context context;
    context.deadline = std::chrono::steady_clock::now() + std::chrono::hours(1);
    TrainOptions options;
    options.kernels = {"rbf(width=median)"};
    PartFits fits(data, folds.front(), "fold 1", context);
    const auto answer = [&] { return fits.answer(options, purpose); };
    EXPECT_TRUE(fits.in_time("", answer).has_value());
    context.deadline = std::chrono::steady_clock::now();
    PartFits late(data, folds.front(), "fold 1", context);
    EXPECT_THROW((void)late.answer(options, purpose), ResourceError);
    EXPECT_EQ(late.in_time("", [&] { return late.answer(options, purpose); }), std::nullopt);
  }
}

TEST(Fits, ModelsOfTheSameKernelsAndPathFollowEachOther) {
  std::mt19937 engine(2);
  const std::vector<const char*> kernels = {"linear", "rbf(width=median)"};
  const std::vector<const char*> regularizers = {"l1", "lp:p=2", "average"};
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<TrainOptions> models(engine() % 20);
    for (TrainOptions& model : models) {
      model.kernels = {kernels[engine() % 2]};
      model.regularizer = regularizers[engine() % 3];
      model.C = 1.0 + static_cast<double>(engine() % 4);
    }
    const std::vector<Index> order = training_order(models);
    EXPECT_EQ(std::set<Index>(order.begin(), order.end()).size(), models.size());
    ASSERT_EQ(order.size(), models.size());
    Index kernel_changes = 0;
    Index path_changes = 0;
    std::set<std::string> all_kernels;
    std::set<std::string> all_paths;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const TrainOptions& own = models[static_cast<std::size_t>(order[k])];
      all_kernels.insert(own.kernels.front());
      all_paths.insert(own.kernels.front() + regularizer_text(own.regularizer));
      if (k == 0) continue;
      const TrainOptions& before = models[static_cast<std::size_t>(order[k - 1])];
      const bool same_kernels = share_kernels(before, own);
      const bool same_path = same_kernels && before.regularizer == own.regularizer;
      kernel_changes += same_kernels ? 0 : 1;
      path_changes += same_path ? 0 : 1;
      EXPECT_TRUE(!same_path || *before.C <= *own.C);
      EXPECT_TRUE(!same_path || before.C != own.C || order[k - 1] < order[k]);
    }
    if (models.empty()) continue;
    EXPECT_EQ(kernel_changes + 1, static_cast<Index>(all_kernels.size()));
    EXPECT_EQ(path_changes + 1, static_cast<Index>(all_paths.size()));
  }
}

}  // namespace
}  // namespace kernmix
