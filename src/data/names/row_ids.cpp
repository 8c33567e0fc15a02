#include "data/names/row_ids.hpp"

#include <fmt/format.h>

#include "data/column_selection.hpp"

namespace kernmix {
namespace {

constexpr std::string_view before_number = "(row ";

}  // namespace

std::string row_id(Index sample) { return fmt::format("{}{})", before_number, sample + 1); }

std::optional<Index> row_of_id(std::string_view id) {
  if (!id.starts_with(before_number) || !id.ends_with(')')) return std::nullopt;
  id.remove_prefix(before_number.size());
  const Index row = parse_position(id.substr(0, id.size() - 1));
  return row > 0 ? std::optional(row) : std::nullopt;
}

void name_by_rows(Table& part, const std::vector<Index>& rows) {
  if (!part.ids.empty()) return;
  for (const Index row : rows) part.ids.push_back(row_id(row));
}

Index file_row(const Table& table, Index i) {
  const auto row = table.ids.empty() ? std::nullopt : row_of_id(table.ids[to_size(i)]);
  return row.value_or(table.before + i + 1);
}

std::vector<Index> file_rows(const std::vector<Index>& places,
                             const std::vector<std::string>& ids) {
  std::vector<Index> rows;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const auto row = k < ids.size() ? row_of_id(ids[k]) : std::nullopt;
    rows.push_back(row.value_or(places[k] + 1));
  }
  return rows;
}

std::vector<std::string> given_ids(const std::vector<std::string>& ids) {
  return !ids.empty() && row_of_id(ids.front()) ? std::vector<std::string>() : ids;
}

}  // namespace kernmix
