#include "base/names.hpp"
#include "base/text.hpp"
#include "kernmix/data.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

constexpr Named<MissingRule> missing_rules[] = {
    {MissingRule::refuse, "refuse"},
    {MissingRule::mean, "mean"},
    {MissingRule::median, "median"},
    {MissingRule::mean_indicator, "mean+indicator"},
    {MissingRule::median_indicator, "median+indicator"}};

constexpr Named<AbsentRule> absent_rules[] = {
    {AbsentRule::keep, "keep"}, {AbsentRule::drop, "drop"}, {AbsentRule::refuse, "refuse"}};

}  // namespace

MissingRule parse_missing_rule(std::string_view text) {
  if (const auto rule = find_in(missing_rules, text)) return *rule;
  throw ParameterError(
      "missing must be refuse, mean, median, mean+indicator or median+indicator, got " +
      in_quotes(text) + did_you_mean(text, names_in(missing_rules)));
}

std::string missing_rule_name(MissingRule rule) { return name_in(missing_rules, rule); }

AbsentRule parse_absent_rule(std::string_view text) {
  if (const auto rule = find_in(absent_rules, text)) return *rule;
  throw ParameterError("absent must be keep, drop or refuse, got " + in_quotes(text) +
                       did_you_mean(text, names_in(absent_rules)));
}

std::string absent_rule_name(AbsentRule rule) { return name_in(absent_rules, rule); }

}  // namespace kernmix
