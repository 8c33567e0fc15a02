#include "model/file/table_section.hpp"

#include "model/file/header.hpp"

namespace kernmix {

void put_table(const Model& model, Container& container) {
  Json& header = container.header;
  if (!model.class_type.empty()) header["class_type"] = model.class_type;
  if (!model.table_columns.empty()) header["table_columns"] = model.table_columns;
  for (const Categories& own : model.categories) {
    header["categories"].push_back({{"column", own.column}, {"values", own.values}});
  }
  for (const Indicators& own : model.indicators) {
    Json entry = {{"column", own.column}, {"values", own.values}};
    if (!own.views.empty()) entry["views"] = own.views;
    header["indicators"].push_back(std::move(entry));
  }
  if (!model.missing_codes.empty()) header["missing_codes"] = model.missing_codes;
}

void put_presences(const Model& model, Container& container) {
  std::vector<Index> support;
  std::vector<Index> origin;
  for (const ModelPresence& own : model.presences) {
    container.header["presences"].push_back({{"view", own.view.name},
                                             {"columns", own.view.columns},
                                             {"samples", own.samples},
                                             {"support", own.support.size()},
                                             {"origin", own.origin.size()}});
    support.insert(support.end(), own.support.begin(), own.support.end());
    origin.insert(origin.end(), own.origin.begin(), own.origin.end());
  }
  if (model.presences.empty()) return;
  container.blocks.push_back(index_block("presence_support", support));
  container.blocks.push_back(index_block("presence_origin", origin));
}

namespace {

std::vector<Indicators> read_indicators(const Json& entries) {
  std::vector<Indicators> indicators;
  for (const Json& entry : entries) {
    indicators.push_back({get_text(entry, "column"), get_texts(entry, "values")});
    if (entry.contains("views")) indicators.back().views = get_texts(entry, "views");
  }
  return indicators;
}

constexpr const char* kTooFewPresent = "has fewer present samples than its views name";

}  // namespace

void read_presences(const Container& container, Model& model) {
  if (!container.header.contains("presences")) return;
  const std::vector<Index> support =
      find_indices(container, "presence_support", "a present support vector whose place");
  const std::vector<Index> origin =
      find_indices(container, "presence_origin", "a sample of an origin whose place");
  std::size_t at_support = 0;
  std::size_t at_origin = 0;
  for (const Json& entry : get_list(container.header, "presences")) {
    ModelPresence own{{get_text(entry, "view"), get_texts(entry, "columns")},
                      get_count(entry, "samples"),
                      {},
                      {}};
    own.support = take_entries(support, at_support, get_count(entry, "support"), kTooFewPresent);
    own.origin = take_entries(origin, at_origin, get_count(entry, "origin"), kTooFewPresent);
    model.presences.push_back(std::move(own));
  }
  if (at_support != support.size() || at_origin != origin.size()) {
    throw DataError("has more present samples than its views name");
  }
}

void read_table_section(const Container& container, Model& model) {
  const Json& header = container.header;
  if (header.contains("class_type")) model.class_type = get_text(header, "class_type");
  if (header.contains("table_columns")) model.table_columns = get_texts(header, "table_columns");
  if (header.contains("indicators")) {
    model.indicators = read_indicators(get_list(header, "indicators"));
  }
  if (header.contains("missing_codes")) model.missing_codes = get_texts(header, "missing_codes");
  if (!header.contains("categories")) return;
  for (const Json& entry : get_list(header, "categories")) {
    model.categories.push_back({get_text(entry, "column"), get_texts(entry, "values")});
  }
}

}  // namespace kernmix
