#include <gtest/gtest.h>

#include "kernmix/error.hpp"
#include "layout.hpp"
#include "model/settings/number_text.hpp"
#include "output.hpp"

namespace kernmix::cli {
namespace {

TEST(Values, SizesArePowersOf1024) {
  EXPECT_EQ(byte_count("--memory", "1024"), 1024U);
  EXPECT_EQ(byte_count("--memory", "4K"), 4096U);
  EXPECT_EQ(byte_count("--memory", "1.5MiB"), 1536U * 1024U);
  EXPECT_EQ(byte_count("--memory", "2GB"), std::size_t{2} << 30U);
  for (const char* bad : {"", "4X", "-1G", "G", "nan", "0", "4 G", "1e30G"}) {
    EXPECT_THROW((void)byte_count("--memory", bad), ParameterError) << bad;
  }
}

TEST(Values, DurationsHaveUnits) {
  EXPECT_EQ(duration_seconds("--time-limit", "30"), 30.0);
  EXPECT_EQ(duration_seconds("--time-limit", "30s"), 30.0);
  EXPECT_EQ(duration_seconds("--time-limit", "250ms"), 0.25);
  EXPECT_EQ(duration_seconds("--time-limit", "5m"), 300.0);
  EXPECT_EQ(duration_seconds("--time-limit", "2h"), 7200.0);
  for (const char* bad : {"", "s", "-1s", "5d", "inf", "1e300"}) {
    EXPECT_THROW((void)duration_seconds("--time-limit", bad), ParameterError) << bad;
  }
}

TEST(Values, NumbersAreWholeTextsInRange) {
  EXPECT_EQ(positive_number("-C", "1e-3"), 1e-3);
  for (const char* bad : {"0", "-1", "nan", "inf", "1x", "", " 1", "1e999"}) {
    EXPECT_THROW((void)positive_number("-C", bad), ParameterError) << bad;
  }
  EXPECT_EQ(whole_number("--threads", "3", 1), 3);
  for (const char* bad : {"0", "1.5", "-2", "99999999999999999999"}) {
    EXPECT_THROW((void)whole_number("--threads", bad, 1), ParameterError) << bad;
  }
}

TEST(Values, AssignmentsAreCutAtTheLastSign) {
  const auto [label, weight] = assignment("--class-weight", "a=b=2");
  EXPECT_EQ(label, "a=b");
  EXPECT_EQ(weight, "2");
  for (const char* bad : {"a", "=1", "a="}) {
    EXPECT_THROW((void)assignment("--class-weight", bad), ParameterError) << bad;
  }
}

TEST(Layout, NumbersGoToTheRightAndTextToTheLeft) {
  EXPECT_EQ(aligned({{"name", "count"}, {"a", "1"}, {"long name", "10"}}, true),
            "name       count\n"
            "---------  -----\n"
            "a              1\n"
            "long name     10\n");
}

TEST(Layout, CsvFieldsAreQuotedWhereTheyMustBe) {
  EXPECT_EQ(csv_field("plain"), "plain");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"x\""), "\"say \"\"x\"\"\"");
}

TEST(Layout, LongLinesAreBrokenAtBlanks) {
  EXPECT_EQ(wrapped("one two three", 7), "one two\nthree");
  EXPECT_EQ(wrapped("one\ntwo", 20), "one\ntwo");
  EXPECT_EQ(wrapped("unbreakable", 4), "unbreakable");
}

TEST(Layout, TimesAndListsReadWell) {
  EXPECT_EQ(readable_seconds(0.5), "0.50 s");
  EXPECT_EQ(readable_seconds(200.0), "3 min 20 s");
  EXPECT_EQ(listed({"a", "b", "c"}, 2), "a, b and 1 more");
}

TEST(Output, JsonSurvivesBytesThatAreNotUtf8) {
  EXPECT_NE(json_text(Json{{"name", "caf\xe9"}}).find("caf\xEF\xBF\xBD"), std::string::npos);
}

}  // namespace
}  // namespace kernmix::cli
