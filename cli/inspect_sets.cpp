#include "inspect_sets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "kernmix/version.hpp"
#include "layout.hpp"

namespace kernmix::cli {
namespace {

constexpr std::size_t kMostSets = 100;  ///< in the text; JSON has all

Json sizes_json(const std::vector<SetSize>& sizes) {
  Json list = Json::array();
  for (const SetSize& set : sizes) {
    list.push_back({{"name", set.name}, {"matched", set.matched}, {"named", set.named}});
  }
  return list;
}

/// One row for each set. \param matched whether there are columns to compare with
std::string sizes_text(const std::vector<SetSize>& sizes, bool matched) {
  std::vector<Row> rows = {{"set"}};
  if (matched) rows.front().emplace_back("matched");
  rows.front().emplace_back("named");
  for (std::size_t k = 0; k < std::min(sizes.size(), kMostSets); ++k) {
    rows.push_back({kernmix::visible(sizes[k].name, kernmix::Layout::none)});
    if (matched) rows.back().push_back(fmt::format("{}", sizes[k].matched));
    rows.back().push_back(fmt::format("{}", sizes[k].named));
  }
  const std::size_t rest = sizes.size() - (rows.size() - 1);
  return "\n" + aligned(rows, true) +
         (rest > 0 ? fmt::format("... {} more, which --json lists\n", rest) : "");
}

}  // namespace

void add_presence(const Dataset& data, Findings& findings) {
  const std::vector<Presence> incomplete = incomplete_views(data);
  if (incomplete.empty()) return;
  std::vector<Row> rows = {{"view", "samples", "lack it"}};
  Json views = Json::array();
  for (const Presence& own : incomplete) {
    const Index present = length(own.present->samples());
    views.push_back({{"view", own.view.name}, {"samples", present}});
    if (rows.size() > kMostSets) continue;
    rows.push_back({kernmix::visible(own.view.name, kernmix::Layout::none),
                    fmt::format("{}", present), fmt::format("{}", own.present->all() - present)});
  }
  findings.text += "\n" + aligned(rows, true);
  if (incomplete.size() > kMostSets) {
    findings.text +=
        fmt::format("... {} more, which --json lists\n", incomplete.size() - kMostSets);
  }
  findings.document["presences"] = std::move(views);
}

void add_sets(const DataArguments& arguments, const Table& table, const Context& context,
              Findings& findings) {
  const SetViews found = resolve_views({}, read_all_sets(arguments, context), table);
  findings.text += sizes_text(found.sizes, true);
  std::vector<std::string> notes = found.warnings;
  if (found.unused > 0) notes.push_back(unused_columns_text(table, found));
  for (const std::string& note : notes) {
    findings.text += "\n" + kernmix::visible(note, kernmix::Layout::none) + "\n";
  }
  findings.document["sets"] = sizes_json(found.sizes);
  findings.document["unused_columns"] = found.unused;
  findings.document["set_warnings"] = found.warnings;
  add_presence({table, found.views, {}}, findings);
}

Findings inspect_sets(const std::string& file, const Context& context) {
  const ColumnSets sets = read_sets(file, context);
  std::vector<SetSize> sizes;
  for (const View& set : sets.sets) {
    const std::set<std::string> names(set.columns.begin(), set.columns.end());
    sizes.push_back({set.name, length(names)});
  }
  Json document = {{"version", KERNMIX_VERSION},
                   {"command", "inspect"},
                   {"kind", "sets"},
                   {"file", file},
                   {"sets", Json::array()}};
  for (const SetSize& set : sizes) {
    document["sets"].push_back({{"name", set.name}, {"named", set.named}});
  }
  return {fmt::format("file  {} sets of columns\n", sizes.size()) + sizes_text(sizes, false),
          std::move(document)};
}

}  // namespace kernmix::cli
