/// Work that is shared out among threads.

#include "base/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "kernmix/error.hpp"

namespace kernmix::testing {
namespace {

Context with_threads(int threads) {
  Context context;
  context.threads = threads;
  return context;
}

TEST(ParallelThreads, DoEveryIndexOnce) {
  for (const int threads : {1, 2, 7}) {
    for (const Index count : {0, 1, 2, 1000}) {
      std::vector<int> times(static_cast<std::size_t>(count), 0);
      parallel_for(with_threads(threads), count,
                   [&](Index i) { ++times[static_cast<std::size_t>(i)]; });
      EXPECT_EQ(times, std::vector<int>(times.size(), 1)) << threads << " threads";
    }
  }
}

TEST(ParallelThreads, HandOverWhatABodyThrows) {
  for (const int threads : {1, 3}) {
    const auto body = [](Index i) {
      if (i == 5) throw std::runtime_error("five");
    };
    try {
      parallel_for(with_threads(threads), 1000, body);
      FAIL() << "with " << threads << " threads nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "five");
    }
  }
}

/// The one that fails first in time is one after it.
TEST(ParallelThreads, HandOverTheFailureOfTheLowestIndex) {
  for (const int threads : {1, 2, 5}) {
    for (int times = 0; times < 50; ++times) {
      const auto body = [](Index i) {
        if (i == 7) std::this_thread::sleep_for(std::chrono::microseconds(200));
        if (i >= 7) throw std::runtime_error(std::to_string(i));
      };
      try {
        parallel_for(with_threads(threads), 1000, body);
        FAIL() << "with " << threads << " threads nothing was thrown";
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "7") << threads << " threads";
      }
    }
  }
}

/// A thread whose work threw is not taken for one at work for the rest of its life.
TEST(ParallelThreads, AreHadAgainAfterAThrow) {
  EXPECT_THROW(on_threads(1, [] { throw std::runtime_error("work"); }), std::runtime_error);
  std::atomic<int> times = 0;
  on_threads(4, [&] { ++times; });
  EXPECT_EQ(times, 4);
}

TEST(ParallelThreads, TakeAnyNumber) {
  for (const int threads : {std::numeric_limits<int>::min(), 0, std::numeric_limits<int>::max()}) {
    std::atomic<Index> sum = 0;
    parallel_for(with_threads(threads), 100, [&](Index i) { sum += i; });
    EXPECT_EQ(sum, 4950) << threads;
  }
}

TEST(ParallelThreads, AreOneWithinABody) {
  const Context context = with_threads(4);
  std::atomic<int> elsewhere = 0;
  parallel_for(context, 50, [&](Index) {
    const auto here = std::this_thread::get_id();
    parallel_for(context, 50, [&](Index) { elsewhere += std::this_thread::get_id() != here; });
  });
  EXPECT_EQ(elsewhere, 0);
}

TEST(ParallelThreads, EndSoonWhereNobodyWantsTheAnswer) {
  for (const int threads : {1, 4}) {
    Context context = with_threads(threads);
    std::atomic<bool> abandoned = false;
    context.abandoned = &abandoned;
    std::atomic<int> done = 0;
    const auto body = [&](Index i) {
      ++done;
      if (i == 10) abandoned = true;
    };
    EXPECT_THROW(parallel_for(context, 100'000, body), ResourceError);
    EXPECT_LT(done, 100'000);
    EXPECT_TRUE(context.is_cancelled());
  }
}

TEST(ParallelThreads, EndWhereTheTimeOfTheAnswerIsOver) {
  for (const int threads : {1, 4}) {
    Context context = with_threads(threads);
    std::atomic<int> done = 0;
    const auto body = [&](Index) { ++done; };
    context.abandon_at = std::chrono::steady_clock::time_point::max();
    parallel_for(context, 100, body);
    EXPECT_EQ(done, 100);
    EXPECT_FALSE(context.should_stop());
    context.abandon_at = std::chrono::steady_clock::now();
    EXPECT_THROW(parallel_for(context, 100, body), ResourceError);
    EXPECT_EQ(done, 100);
    EXPECT_TRUE(context.should_stop());
  }
}

/// Whoever asks for threads that have other things to do does the work alone.
TEST(ParallelThreads, AreNotWaitedForBeforeTheyBegin) {
  const Context context = with_threads(64);
  std::atomic<bool> begun = false, done = false;
  std::thread other([&] {
    parallel_for(context, 64, [&](Index) {
      begun = true;
      while (!done) std::this_thread::yield();
    });
  });
  while (!begun) std::this_thread::yield();
  std::atomic<int> sum = 0;
  for (int times = 0; times < 100; ++times) parallel_for(context, 64, [&](Index) { ++sum; });
  done = true;
  other.join();
  EXPECT_EQ(sum, 6400);
}

}  // namespace
}  // namespace kernmix::testing
