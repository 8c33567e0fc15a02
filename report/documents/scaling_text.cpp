#include "scaling_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "layout.hpp"

namespace kernmix::documents {
namespace {

constexpr std::size_t kShownViews = 4;

/// The names of the views of each rule, in the order of the views.
std::vector<std::pair<ScalingRule, std::vector<std::string>>> by_rule(
    const std::vector<ScaledView>& views) {
  std::vector<std::pair<ScalingRule, std::vector<std::string>>> rules;
  for (const ScaledView& view : views) {
    auto own = std::ranges::find(rules, view.rule, [](const auto& entry) { return entry.first; });
    if (own == rules.end()) own = rules.insert(own, {view.rule, {}});
    own->second.push_back(view.view);
  }
  return rules;
}

}  // namespace

std::string scaling_text(const std::vector<ScaledView>& views) {
  if (views.empty()) return "none";
  const auto rules = by_rule(views);
  std::string text;
  for (const auto& [rule, names] : rules) {
    if (!text.empty()) text += "; ";
    text += scaling_name(rule);
    if (rules.size() > 1) text += " of " + listed(names, kShownViews);
  }
  const bool chosen = std::ranges::any_of(
      views, [](const ScaledView& view) { return view.asked == ScalingRule::automatic; });
  return chosen ? text + "  (auto)" : text;
}

Json scaling_json(const std::vector<ScaledView>& views) {
  Json scaling = Json::object();
  for (const ScaledView& view : views) scaling[view.view] = scaling_name(view.rule);
  return scaling;
}

}  // namespace kernmix::documents
