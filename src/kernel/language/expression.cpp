#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "base/text.hpp"
#include "kernel/language/expression_cursor.hpp"
#include "kernel/language/expression_parser.hpp"
#include "kernmix/error.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {
namespace {

constexpr std::size_t most_kernels = 1000000;

bool can_read(const KernelDefinition& kernel, const ViewNames& view) {
  const KernelInput input = kernel.info.input;
  if (view.input == KernelInput::gram) return input == KernelInput::gram;
  if (view.input == KernelInput::distance) return kernel.info.on_distances;
  return input == KernelInput::features || input == KernelInput::nonnegative;
}

bool has_columns(const ViewNames& view) {
  return view.input != KernelInput::gram && view.input != KernelInput::distance;
}

const char* what_it_reads(const KernelDefinition& kernel) {
  if (kernel.info.input == KernelInput::gram) return "a given Gram matrix";
  return kernel.info.on_distances ? "columns or given distances" : "columns";
}

const char* what_it_is(const ViewNames& view) {
  if (view.input == KernelInput::gram) return "is a given Gram matrix";
  return view.input == KernelInput::distance ? "is a given distance matrix" : "has columns";
}

/// The view `all`: every column once, in the order of the views.
ViewNames joined(const std::vector<ViewNames>& views) {
  ViewNames all{.name = "all", .columns = {}};
  std::set<std::string> seen;
  std::set<std::string> units;
  for (const ViewNames& view : views) {
    if (!has_columns(view)) continue;
    for (const std::string& column : view.columns) {
      if (seen.insert(column).second) all.columns.push_back(column);
    }
    for (const std::vector<std::string>& columns : view.together) {
      if (units.insert(columns.front()).second) all.together.push_back(columns);
    }
  }
  return all;
}

/// Finds the views that an expression names.
class ViewSelection {
 public:
  ViewSelection(const ParsedExpression& expression, const std::vector<ViewNames>& views)
      : expression_(expression), views_(views) {}

  std::vector<ViewNames> select() {
    if (expression_.views.empty()) {
      add_matching({.text = "*", .position = expression_.function_position});
    }
    for (const ParsedView& wanted : expression_.views) add(wanted);
    return std::move(selected_);
  }

 private:
  void add(const ParsedView& wanted) {
    for (const ViewNames& view : views_) {
      if (view.name == wanted.text) return add_named(wanted, view);
    }
    if (wanted.text == "all") return add_named(wanted, all_columns(wanted));
    if (is_glob(wanted.text)) return add_matching(wanted);
    std::vector<std::string> known = names();
    known.emplace_back("all");
    const std::string hint = did_you_mean(wanted.text, known);
    fail(wanted, fmt::format("unknown view '{}'{}", wanted.text, hint.empty() ? listing() : hint));
  }

  ViewNames all_columns(const ParsedView& wanted) const {
    ViewNames all = joined(views_);
    if (all.columns.empty()) fail(wanted, "no view has columns that 'all' could join" + listing());
    return all;
  }

  void add_named(const ParsedView& wanted, const ViewNames& view) {
    const KernelDefinition& kernel = *expression_.kernel;
    if (!can_read(kernel, view)) {
      fail(wanted, fmt::format("{} reads {}, but '{}' {}", kernel.info.name, what_it_reads(kernel),
                               view.name, what_it_is(view)));
    }
    if (expression_.each && !has_columns(view)) {
      fail_at(expression_.text, *expression_.each,
              fmt::format("'each' needs columns, but '{}' {}", view.name, what_it_is(view)));
    }
    add_once(view);
  }

  void add_matching(const ParsedView& wanted) {
    bool found = false;
    for (const ViewNames& view : views_) {
      if (!glob_match(wanted.text, view.name)) continue;
      if (!can_read(*expression_.kernel, view)) continue;
      if (expression_.each && !has_columns(view)) continue;
      found = true;
      add_once(view);
    }
    if (found) return;
    fail(wanted, fmt::format("{} reads {}, and no view that matches '{}' has {}{}",
                             expression_.kernel->info.name,
                             expression_.each ? "columns" : what_it_reads(*expression_.kernel),
                             wanted.text, expression_.each ? "any" : "such data", listing()));
  }

  void add_once(const ViewNames& view) {
    if (selected_names_.insert(view.name).second) selected_.push_back(view);
  }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const ViewNames& view : views_) all.push_back(view.name);
    return all;
  }

  std::string listing() const {
    if (views_.empty()) return "; there are no views";
    return fmt::format("; the views are {}", fmt::join(names(), ", "));
  }

  [[noreturn]] void fail(const ParsedView& wanted, const std::string& sentence) const {
    fail_at(expression_.text, wanted.position, sentence);
  }

  const ParsedExpression& expression_;
  const std::vector<ViewNames>& views_;
  std::vector<ViewNames> selected_;
  std::set<std::string> selected_names_;
};

/// All combinations of parameter values; the last parameter varies fastest.
std::vector<std::map<std::string, double>> combinations(const ParsedExpression& expression) {
  std::vector<std::map<std::string, double>> all(1);
  for (const ParsedParameter& parameter : expression.parameters) {
    if (all.size() * parameter.values.size() > most_kernels) {
      fail_at(expression.text, expression.function_position,
              fmt::format("this is more than {} kernels", most_kernels));
    }
    std::vector<std::map<std::string, double>> longer;
    for (const auto& combination : all) {
      for (const double value : parameter.values) {
        longer.push_back(combination);
        longer.back()[parameter.name] = value;
      }
    }
    all = std::move(longer);
  }
  return all;
}

KernelFunction complete(const ParsedExpression& expression, std::map<std::string, double> values,
                        const ViewNames& view) {
  const KernelDefinition& kernel = *expression.kernel;
  for (const KernelParameter& parameter : kernel.parameters) {
    const bool said = values.contains(parameter.name) || values.contains("width");
    if (!parameter.per_column || said) continue;
    if (!has_columns(view)) {
      fail_at(expression.text, expression.function_position,
              fmt::format("{}: {} is required for the given distances '{}'", kernel.info.name,
                          parameter.name, view.name));
    }
    values[parameter.name] = 1.0 / static_cast<double>(view.columns.size());
  }
  try {
    return make_kernel_function(kernel.info.name, values);
  } catch (const ParameterError& error) {
    fail_at(expression.text, expression.function_position, error.what());
  }
}

/// Stores a width relative to distances between training samples, to be determined from the data.
void leave_width_to_data(const ParsedExpression& expression,
                         const std::map<std::string, double>& values, KernelDescription& kernel) {
  for (const ParsedParameter& parameter : expression.parameters) {
    if (!parameter.distance) continue;
    kernel.relative_width = {values.at(parameter.name), *parameter.distance};
    kernel.function.parameters["gamma"] = std::numeric_limits<double>::quiet_NaN();
  }
}

Normalization rule_of(const ParsedExpression& expression, const Normalization& default_rule) {
  const bool given = expression.normalization.has_value();
  const Normalization rule = given ? *expression.normalization : default_rule;
  if (rule.cosine && expression.kernel->info.input == KernelInput::gram) {
    fail_at(expression.text,
            given ? expression.normalization_position : expression.function_position,
            "precomputed cannot have cosine normalization, because the matrix of new samples does "
            "not contain their k(x, x): write normalize=trace here and give matrices that are "
            "normalized already");
  }
  return rule;
}

/// The view itself or, with `each`, its single columns.
std::vector<ViewNames> parts(const ParsedExpression& expression, const ViewNames& view) {
  if (!expression.each) return {view};
  std::map<std::string_view, const std::vector<std::string>*> unit;
  for (const std::vector<std::string>& columns : view.together) {
    for (const std::string& column : columns) unit.emplace(column, &columns);
  }
  std::vector<ViewNames> single;
  for (const std::string& column : view.columns) {
    const auto own = unit.find(column);
    if (own == unit.end()) {
      single.push_back({.name = view.name, .columns = {column}, .input = view.input});
    } else if (own->second->front() == column) {
      single.push_back({.name = view.name, .columns = *own->second, .input = view.input});
    }
  }
  return single;
}

void expand(const ParsedExpression& expression, const std::vector<ViewNames>& views,
            const Normalization& default_rule, std::vector<KernelDescription>& kernels) {
  const Normalization rule = rule_of(expression, default_rule);
  const auto all_values = combinations(expression);
  std::size_t count = 0;
  for (const ViewNames& view : ViewSelection(expression, views).select()) {
    for (const ViewNames& part : parts(expression, view)) {
      count += all_values.size();
      if (count > most_kernels) {
        fail_at(expression.text, expression.function_position,
                fmt::format("this is more than {} kernels", most_kernels));
      }
      for (const auto& values : all_values) {
        kernels.push_back({.function = complete(expression, values, part),
                           .view = view.name,
                           .columns = part.columns,
                           .from_matrix = !has_columns(view),
                           .group = expression.group.empty() ? view.name : expression.group,
                           .normalization = rule});
        leave_width_to_data(expression, values, kernels.back());
      }
    }
  }
}

/// A single column, or that of indicators, "COLUMN=WORD" each; empty for columns of several.
std::string_view common_column(const std::vector<std::string>& columns) {
  if (columns.empty()) return {};
  std::string_view common = columns.front();
  if (columns.size() == 1) return common;
  common = common.substr(0, common.find('=') + 1);
  const auto shared = [&](const std::string& column) { return column.starts_with(common); };
  if (common.empty() || !std::ranges::all_of(columns, shared)) return {};
  return common.substr(0, common.size() - 1);
}

}  // namespace

std::string KernelDescription::name() const {
  if (!column_weights.empty()) return fmt::format("product of {} on {}", function.name, view);
  const std::string width = relative_width ? relative_width->text() : "";
  const std::string kernel = fmt::format("{} on {}", text_with_width(function, width), view);
  const std::string_view column = common_column(columns);
  return column.empty() || column == view ? kernel : fmt::format("{}:{}", kernel, column);
}

std::vector<KernelDescription> expand_kernels(const std::vector<std::string>& expressions,
                                              const std::vector<ViewNames>& views,
                                              const Normalization& default_rule) {
  std::vector<KernelDescription> kernels;
  for (const std::string& expression : expressions) {
    expand(parse_expression(expression), views, default_rule, kernels);
  }
  return kernels;
}

}  // namespace kernmix
