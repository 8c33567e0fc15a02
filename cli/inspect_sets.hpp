#pragma once
/// \file
/// Named sets of columns as inspect shows them.

#include <string>

#include "kernmix/context.hpp"
#include "options.hpp"
#include "output.hpp"

namespace kernmix::cli {

/// Adds the sets of --sets and how many of their names are columns of the table.
void add_sets(const DataArguments& arguments, const Table& table, const Context& context,
              Findings& findings);

/// The sets of a GMT file. \throws as read_sets()
[[nodiscard]] Findings inspect_sets(const std::string& file, const Context& context);

}  // namespace kernmix::cli
