#pragma once
/// \file
/// Views from named sets of columns: gene sets, atlas regions, bands.

#include <string>
#include <vector>

#include "kernmix/data.hpp"

namespace kernmix {

/// Named sets of columns. Each is a View whose columns are the names in the set, known or not.
struct ColumnSets {
  std::string source;        ///< file, for messages
  std::string part;          ///< FilePart whose columns the sets name; empty: those of all files
  std::vector<View> sets;    ///< with different names
  std::vector<Index> lines;  ///< of each set in the file; empty without a file
};

/// Reads a GMT file: one set a line, NAME tab DESCRIPTION tab MEMBER tab MEMBER and so on.
/// "PART=FILE" sets ColumnSets::part. \throws DataError naming the line that has no tab, no name,
/// no members, or the name of an earlier set; ResourceError as read_table()
[[nodiscard]] ColumnSets read_sets(const std::string& file, const Context& context = {});

/// A set and how much of it a table has.
struct SetSize {
  std::string name;   ///< of its view
  Index named = 0;    ///< different names in the set
  Index matched = 0;  ///< those that are columns; 0: the set has no view
};

/// The views that sets of columns give.
struct SetViews {
  std::vector<View> views;
  std::vector<SetSize> sizes;         ///< of all sets in their order
  std::vector<std::string> warnings;  ///< sentences on sets and names without columns
  Index unused = 0;                   ///< number of columns in no view
};

/// One view for each set with a known name. Names are compared exactly; where several files have a
/// column of the same name, a set names it with the prefix of its file or in ColumnSets::part, and
/// the views of a part are called "PART.SET". Sets may overlap. Warns of sets without a known name,
/// of names of which fewer than half are columns, and of names that differ from columns only in
/// case. \throws DataError for a set without a name or members, if no name is a column, and if a
/// name is a column of several files; ParameterError for an unknown part
[[nodiscard]] SetViews views_of_sets(const ColumnSets& sets, const Table& table);

/// The views of "NAME=COLUMNS" specifications (data.hpp) and of sets together. Without
/// specifications only the sets make views, and the files that are no ColumnSets::part keep theirs
/// if all sets have a part. \throws as resolve_views() and views_of_sets()
[[nodiscard]] SetViews resolve_views(const std::vector<std::string>& specifications,
                                     const std::vector<ColumnSets>& sets, const Table& table);

}  // namespace kernmix
