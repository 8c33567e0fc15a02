#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>

#include "base/text.hpp"
#include "command.hpp"
#include "kernel/functions/definition.hpp"
#include "kernmix/error.hpp"
#include "kernmix/kernel.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/model.hpp"
#include "kernmix/regularizer.hpp"
#include "kernmix/settings.hpp"
#include "kernmix/solve.hpp"
#include "kernmix/version.hpp"
#include "layout.hpp"
#include "output.hpp"
#include "support_table.hpp"

namespace kernmix::cli {
namespace {

struct ListArguments {
  std::string topic;
  bool json = false;
};

const HelpText kListHelp = {
    "list",
    "List kernels, losses, regularizers, solvers and normalizations, and what can be combined.",
    "[TOPIC] [OPTIONS]",
    "  kernmix list\n"
    "  kernmix list losses\n"
    "  kernmix list solvers --json\n",
    "TOPIC is one of kernels, losses, regularizers, solvers, sharing, settings, strategies,\n"
    "normalizations. The tables of solvers show the regularizers and losses that each solver\n"
    "supports, alone and with shared weights; --json gives the reason for each combination that "
    "is\n"
    "not supported."};

struct NamedText {
  const char* name;
  const char* text;
};

constexpr std::array<NamedText, 6> kNormalizations = {
    {{"none", "the kernel as it is"},
     {"variance", "variance in the feature space, tr K/n - 1'K1/n^2, is 1"},
     {"trace", "the mean of the diagonal is 1"},
     {"unit-trace", "the trace is 1"},
     {"cosine", "k(x,z) / sqrt(k(x,x) k(z,z))"},
     {"center", "mean of the training samples at the origin of the feature space"}}};

Json kernel_rows() {
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

/// Other accepted names of a kernel.
std::vector<std::string> synonyms_of(const std::string& kernel) {
  std::vector<std::string> names;
  for (const OtherName& other : kernel_synonyms()) {
    if (other.here == kernel) names.emplace_back(other.name);
  }
  return names;
}

Json kernels_json() {
  Json list = kernel_rows();
  for (Json& kernel : list) kernel["also"] = synonyms_of(kernel.at("name").get<std::string>());
  return list;
}

Loss example_of(const LossInfo& info) { return parse_loss(info.example); }

Json losses_json() {
  Json list = Json::array();
  for (const LossInfo& info : losses()) {
    const Target target = loss_target(example_of(info));
    list.push_back(
        {{"name", info.syntax}, {"formula", info.formula}, {"target", target_name(target)}});
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

Json strategies_json() {
  Json list = Json::array();
  for (const StrategyInfo& info : strategy_list()) {
    list.push_back({{"name", info.name}, {"what", info.what}});
  }
  return list;
}

/// The settings of fields(): docs/reference/settings.md.
Json settings_json() {
  Json list = Json::array();
  for (const Field& field : fields()) {
    list.push_back({{"name", field.name},
                    {"option", field.flag + (field.word.empty() ? "" : " " + field.word)},
                    {"key", field.key()},
                    {"changes", kind_name(field.kind)},
                    {"default", field.form == SettingForm::toggle ? "false" : field.preset()},
                    {"help", field.help}});
  }
  return list;
}

constexpr std::array<Coupling, 2> kSharings = {Coupling::sum, Coupling::minimax};

/// The combinations available in the tool: losses of two classes and of numbers.
std::vector<Support> sharing_cells(Coupling sharing) {
  std::vector<Support> cells = support_matrix(sharing);
  std::set<std::string> of_many;
  for (const LossInfo& info : losses()) {
    const Loss loss = example_of(info);
    const bool shares = loss_target(loss) != Target::none && !joins_classes(loss);
    if (shares) of_many.insert(info.syntax);
  }
  std::erase_if(cells, [&](const Support& cell) { return !of_many.contains(cell.loss); });
  return cells;
}

Json sharing_json() {
  Json list = Json::array();
  for (const Coupling sharing : kSharings) {
    for (const Support& cell : sharing_cells(sharing)) {
      list.push_back({{"sharing", coupling_name(sharing)},
                      {"solver", cell.solver},
                      {"regularizer", cell.regularizer},
                      {"loss", cell.loss},
                      {"supported", cell.supported},
                      {"reason", cell.reason}});
    }
  }
  return list;
}

/// One column for each form of sharing with each solver.
std::string sharing_text() {
  std::vector<Support> cells;
  for (const Coupling sharing : kSharings) {
    for (Support cell : sharing_cells(sharing)) {
      cell.solver = coupling_name(sharing) + " by " + cell.solver;
      cells.push_back(std::move(cell));
    }
  }
  return "Shared kernel weights of several classes, labels or targets: --sharing, and the --solver "
         "for\nlosses of two classes and of numbers.\n\n" +
         support_text(cells);
}

Json normalizations_json() {
  Json list = Json::array();
  for (const NamedText& rule : kNormalizations) {
    list.push_back({{"name", rule.name}, {"meaning", rule.text}});
  }
  return list;
}

std::string cell_text(const Json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  return value.get<std::string>();
}

constexpr std::size_t kWidestTable = 110;

/// A list of flat objects as a table, or field by field if the table would be too wide.
std::string table_text(const Json& list) {
  std::vector<Row> rows(1);
  std::size_t longest = 0;
  for (const auto& field : list.front().items()) {
    rows[0].push_back(field.key());
    longest = std::max(longest, field.key().size());
  }
  std::string stacked;
  for (const Json& item : list) {
    Row row;
    for (const auto& field : item.items()) row.push_back(cell_text(field.value()));
    for (std::size_t c = 0; c < row.size(); ++c) {
      stacked +=
          c == 0 ? row[c] + "\n" : fmt::format("    {:<{}}  {}\n", rows[0][c], longest, row[c]);
    }
    rows.push_back(std::move(row));
  }
  std::string table = aligned(rows, true);
  const auto rule = table.find('\n', table.find('\n') + 1) - table.find('\n') - 1;
  return rule > kWidestTable ? stacked : table;
}

/// The language of --kernel.
constexpr const char* kExpressions =
    "\nExpressions of --kernel: FUNCTION(PARAMETER=VALUES, ...) on VIEWS, each, normalize=RULE\n\n"
    "VALUES          0.5, 2^-3, a range such as 1..3 or 2^-6..2^3, or a list {0.1; 1; 10}: one\n"
    "                kernel for each value\n"
    "width           VALUES, or median or near times VALUES: median is the median distance\n"
    "                between training samples, near is the 0.1 % quantile of the distances or\n"
    "                median/4, whichever is larger; near*{0.5; 1; 2} is three kernels\n"
    "on VIEWS        names or globs of views, separated by |: one kernel for each view; all joins\n"
    "                the columns of all views [default: every view]\n"
    "each            one kernel for each single column\n"
    "normalize=RULE  a rule of kernmix list normalizations [default: that of --normalize]\n"
    "\nFor example, 'rbf(width=median*2^-1..2^1) on color, each' has three widths for each column "
    "of\n"
    "view color. A view is sparse if it has 16 columns or more, no negative value and 80 % "
    "zeros.\n";

std::string kernels_text() {
  std::string text = table_text(kernel_rows());
  for (const KernelFunctionInfo& kernel : kernel_functions()) {
    const std::vector<std::string> names = synonyms_of(kernel.name);
    if (names.empty()) continue;
    text += fmt::format("\nOther names of {}: {}\n", kernel.name, listed(names, names.size()));
  }
  return text + kExpressions;
}
std::string losses_text() { return table_text(losses_json()); }
std::string regularizers_text() { return table_text(regularizers_json()); }

/// A solver without a certificate, which does not fit in the table.
constexpr const char* kWithoutGap =
    "\nProducts of kernels (--combination product) have no duality gap: their weights are a local\n"
    "optimum.\n";

std::string solvers_text() { return support_text(support_matrix()) + kWithoutGap; }
std::string settings_text() { return table_text(settings_json()); }
std::string strategies_text() { return table_text(strategies_json()); }
std::string normalizations_text() { return table_text(normalizations_json()); }

struct Topic {
  const char* name;
  Json (*content)();
  std::string (*text)();
};
constexpr std::array<Topic, 8> kTopics = {
    {{"kernels", kernels_json, kernels_text},
     {"losses", losses_json, losses_text},
     {"regularizers", regularizers_json, regularizers_text},
     {"solvers", solvers_json, solvers_text},
     {"sharing", sharing_json, sharing_text},
     {"settings", settings_json, settings_text},
     {"strategies", strategies_json, strategies_text},
     {"normalizations", normalizations_json, normalizations_text}}};

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
    if (a.json) {
      document[topic.name] = topic.content();
    } else {
      text += fmt::format("{}{}\n\n{}", text.empty() ? "" : "\n", topic.name, topic.text());
    }
  }
  write_stdout(a.json ? json_text(document) : text);
  return kDone;
}

}  // namespace

Command make_list(CLI::App& root) {
  const auto arguments = std::make_shared<ListArguments>();
  CLI::App& app = add_command(root, kListHelp);
  OptionGroup general(app, "General");
  general.value("TOPIC", arguments->topic, "TOPIC", "What to show [default: all]");
  general.toggle("--json", arguments->json, "As JSON, on standard output");
  return {&app, nullptr, [arguments] { return run_list(*arguments); }};
}

}  // namespace kernmix::cli
