#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "command.hpp"
#include "kernmix/error.hpp"
#include "kernmix/kernel/function.hpp"
#include "kernmix/loss/loss.hpp"
#include "kernmix/regularizer/regularizer.hpp"
#include "kernmix/solver/solve.hpp"
#include "kernmix/version.hpp"
#include "layout.hpp"
#include "output.hpp"
#include "text.hpp"

namespace kernmix::cli {
namespace {

struct ListArguments {
  std::string topic;
  bool json = false;
};

const HelpText kListHelp = {
    "list", "Show the kernels, losses, regularizers, solvers and normalizations, and what fits.",
    "[TOPIC] [OPTIONS]",
    "  kernmix list\n"
    "  kernmix list kernels\n"
    "  kernmix list --json\n",
    "TOPIC is one of kernels, losses, regularizers, solvers, normalizations."};

struct NamedText {
  const char* name;
  const char* text;
};

constexpr std::array<NamedText, 5> kNormalizations = {
    {{"none", "the kernel as it is"},
     {"trace", "mean of the diagonal 1"},
     {"unit-trace", "trace 1"},
     {"cosine", "k(x,z) / sqrt(k(x,x) k(z,z))"},
     {"center", "mean of the training samples at the origin of the feature space"}}};

const char* input_name(const KernelFunctionInfo& kernel) {
  switch (kernel.input) {
    case KernelInput::features:
      return kernel.on_distances ? "columns or distances" : "columns";
    case KernelInput::nonnegative:
      return "columns >= 0";
    case KernelInput::gram:
      return "Gram matrix";
    case KernelInput::distance:
      return "distances";
  }
  return "";
}

Json kernels_json() {
  Json list = Json::array();
  for (const KernelFunctionInfo& kernel : kernel_functions()) {
    list.push_back({{"name", kernel.name},
                    {"formula", kernel.formula},
                    {"parameters", kernel.parameters},
                    {"reads", input_name(kernel)},
                    {"always_psd", kernel.always_psd}});
  }
  return list;
}

Json losses_json() {
  Json list = Json::array();
  for (const LossInfo& info : losses()) {
    list.push_back({{"name", info.syntax}, {"formula", info.formula}});
  }
  return list;
}

Json regularizers_json() {
  Json list = Json::array();
  for (const RegularizerInfo& info : regularizers()) {
    list.push_back({{"name", info.syntax}, {"weights", info.weights}, {"norm", info.norm}});
  }
  return list;
}

Json solvers_json() {
  Json list = Json::array();
  for (const Support& cell : support_matrix()) {
    list.push_back({{"solver", cell.solver},
                    {"regularizer", cell.regularizer},
                    {"loss", cell.loss},
                    {"supported", cell.supported},
                    {"reason", cell.reason}});
  }
  return list;
}

Json normalizations_json() {
  Json list = Json::array();
  for (const NamedText& rule : kNormalizations) {
    list.push_back({{"name", rule.name}, {"meaning", rule.text}});
  }
  return list;
}

struct Topic {
  const char* name;
  Json (*content)();
};
constexpr std::array<Topic, 5> kTopics = {{{"kernels", kernels_json},
                                           {"losses", losses_json},
                                           {"regularizers", regularizers_json},
                                           {"solvers", solvers_json},
                                           {"normalizations", normalizations_json}}};

std::string cell_text(const Json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  return value.get<std::string>();
}

/// A list of flat objects as a table with a title.
std::string table_text(const std::string& title, const Json& list) {
  std::vector<Row> rows(1);
  for (const auto& field : list.front().items()) rows[0].push_back(field.key());
  for (const Json& item : list) {
    Row row;
    for (const auto& field : item.items()) row.push_back(cell_text(field.value()));
    rows.push_back(std::move(row));
  }
  return title + "\n\n" + aligned(rows, true);
}

void check_topic(const std::string& topic) {
  std::vector<std::string> names;
  for (const Topic& known : kTopics) names.emplace_back(known.name);
  if (topic.empty() || std::find(names.begin(), names.end(), topic) != names.end()) return;
  throw ParameterError(fmt::format("unknown topic {}{}; known are {}", kernmix::in_quotes(topic),
                                   did_you_mean(topic, names), listed(names, names.size())));
}

int run_list(const ListArguments& a) {
  check_topic(a.topic);
  Json document = {{"version", KERNMIX_VERSION}, {"command", "list"}};
  std::string text;
  for (const Topic& topic : kTopics) {
    if (!a.topic.empty() && a.topic != topic.name) continue;
    document[topic.name] = topic.content();
    text += (text.empty() ? "" : "\n") + table_text(topic.name, document[topic.name]);
  }
  write_stdout(a.json ? json_text(document) : text);
  return kDone;
}

}  // namespace

Command make_list(CLI::App& root) {
  const auto arguments = std::make_shared<ListArguments>();
  CLI::App& app = add_command(root, kListHelp);
  add_value(app, "TOPIC", arguments->topic, {"General", "TOPIC", "What to show [default: all]"});
  add_switch(app, "--json", arguments->json, {"General", "", "As JSON, on standard output"});
  return {&app, nullptr, [arguments] { return run_list(*arguments); }};
}

}  // namespace kernmix::cli
