#include "data/sets/gmt.hpp"
#include "survive.hpp"

/// Sets of the bytes are matched with columns of the first set.
KERNMIX_FUZZ {
  const kernmix::ColumnSets sets = kernmix::parse_gmt(text, "input");
  kernmix::fuzz::expect(!sets.sets.empty() && sets.lines.size() == sets.sets.size());
  kernmix::Table table;
  table.source = "table";
  table.columns = {sets.sets.front().columns.front()};
  const kernmix::SetViews found = kernmix::views_of_sets(sets, table);
  kernmix::fuzz::expect(!found.views.empty() && found.sizes.size() == sets.sets.size());
}
