#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/names.hpp"
#include "base/text.hpp"
#include "kernmix/data.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

constexpr Named<ScalingRule> scaling_names[] = {{ScalingRule::automatic, "auto"},
                                                {ScalingRule::none, "none"},
                                                {ScalingRule::standard, "standard"},
                                                {ScalingRule::minmax, "minmax"},
                                                {ScalingRule::common, "common"},
                                                {ScalingRule::root, "sqrt"},
                                                {ScalingRule::standard_root, "sqrt+standard"}};

}  // namespace

ScalingRule parse_scaling_rule(std::string_view text) {
  if (const auto rule = find_in(scaling_names, text)) return *rule;
  throw ParameterError("scaling " + in_quotes(text) + " is not known" +
                       did_you_mean(text, names_in(scaling_names)) +
                       " (auto, none, standard, minmax, common, sqrt or sqrt+standard)");
}

std::string scaling_name(ScalingRule rule) { return name_in(scaling_names, rule); }

ScalingRule ScalingChoice::of(const std::string& view) const {
  const auto own = of_view.find(view);
  return own == of_view.end() ? rule : own->second;
}

ScalingChoice parse_scaling(const std::vector<std::string>& rules) {
  ScalingChoice choice;
  std::optional<std::string> of_all;
  for (const std::string& text : rules) {
    const std::size_t equals = text.rfind('=');
    if (equals == std::string::npos) {
      if (of_all) {
        throw ParameterError(fmt::format(
            "scaling has two rules for all views, {} and {}; write VIEW=RULE for one view", *of_all,
            text));
      }
      choice.rule = parse_scaling_rule(text);
      of_all = text;
      continue;
    }
    const std::string view(trim(std::string_view(text).substr(0, equals)));
    if (view.empty()) {
      throw ParameterError("scaling " + in_quotes(text) + " has no view before the '='");
    }
    const ScalingRule rule = parse_scaling_rule(trim(std::string_view(text).substr(equals + 1)));
    if (!choice.of_view.emplace(view, rule).second) {
      throw ParameterError("scaling has two rules for the view " + in_quotes(view));
    }
  }
  return choice;
}

std::vector<std::string> scaling_texts(const ScalingChoice& choice) {
  std::vector<std::string> texts = {scaling_name(choice.rule)};
  for (const auto& [view, rule] : choice.of_view) texts.push_back(view + "=" + scaling_name(rule));
  return texts;
}

void check_scaling_views(const ScalingChoice& choice, const std::vector<std::string>& views) {
  for (const auto& [view, rule] : choice.of_view) {
    if (std::ranges::find(views, view) != views.end()) continue;
    throw ParameterError(
        fmt::format("scaling: there is no view {} with columns{} ({})", in_quotes(view),
                    did_you_mean(view, views),
                    views.empty() ? "no view has columns" : "views: " + comma_list(views)));
  }
}

}  // namespace kernmix
