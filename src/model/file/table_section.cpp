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
    header["indicators"].push_back({{"column", own.column}, {"values", own.values}});
  }
  if (!model.missing_codes.empty()) header["missing_codes"] = model.missing_codes;
}

namespace {

std::vector<Indicators> read_indicators(const Json& entries) {
  std::vector<Indicators> indicators;
  for (const Json& entry : entries) {
    indicators.push_back({get_text(entry, "column"), get_texts(entry, "values")});
  }
  return indicators;
}

}  // namespace

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
