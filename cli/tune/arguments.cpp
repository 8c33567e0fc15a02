#include "tune/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "command.hpp"
#include "kernmix/error.hpp"
#include "kernmix/selection/search.hpp"
#include "model/settings/number_text.hpp"
#include "training_data.hpp"
#include "tune/parts.hpp"

namespace kernmix::cli {
namespace {

void refuse_with(const std::string& option, bool given, const std::string& other,
                 const std::string& why) {
  if (given) throw ParameterError(fmt::format("{} and {}: {}", option, other, why));
}

void check_part(const TuneArguments& a) {
  (void)parse_part(a.part);
  require(!a.journal.empty(), "--journal", "a part of a search writes its scores there");
  const std::string why = "a part has no winner; leave it out, and use it with --gather";
  refuse_with("--part", !a.train.output.empty(), "-o", why);
  refuse_with("--part", !a.train.common.json.empty(), "--json", why);
  refuse_with("--part", !a.gather.empty(), "--gather",
              "run all parts first, then --gather with their journals");
}

void check_purpose(const TuneArguments& a) {
  if (!a.part.empty()) return check_part(a);
  require(!a.train.output.empty(), "-o", "name the model file to write");
  refuse_with("--gather", !a.gather.empty() && !a.journal.empty(), "--journal",
              "the journals of the parts are read, and no journal is written");
}

/// A grid of C replaces the option.
void check_cost(const TuneArguments& a) {
  if (!a.train.settings.contains("C")) return;
  const auto is_of_cost = [](const std::string& axis) { return axis.starts_with("C="); };
  if (a.grid.empty()) {
    throw ParameterError(
        "-C: tune chooses C, without --grid from 0.01 to 100; give its values as --grid C=VALUES");
  }
  refuse_with("-C", std::ranges::any_of(a.grid, is_of_cost), "--grid C",
              "both give the values of C; leave -C out");
}

}  // namespace

void check_tune_arguments(const TuneArguments& a) {
  require_data(a.train.data);
  check_purpose(a);
  check_fold_options(a.folds);
  check_cost(a);
  if (!a.score.empty()) (void)score_rule(a.score);
  if (!a.nested.empty()) (void)whole_number("--nested", a.nested, 2);
  try {
    (void)parse_choice(a.choose);
  } catch (const ParameterError& error) {
    throw ParameterError(fmt::format("--choose: {}", error.what()));
  }
}

}  // namespace kernmix::cli
