#pragma once
/// \file
/// Named sets of columns as inspect shows them.

#include <string>

#include "kernmix/context.hpp"
#include "kernmix/train.hpp"
#include "options.hpp"
#include "output.hpp"

namespace kernmix::cli {

/// Adds how many samples have each view that some of them lack.
void add_presence(const Dataset& data, Findings& findings);

/// Adds the sets of --sets with their presence, and how many of their names are columns of the
/// table.
void add_sets(const DataArguments& arguments, const Table& table, const Context& context,
              Findings& findings);

/// The sets of a GMT file. \throws as read_sets()
[[nodiscard]] Findings inspect_sets(const std::string& file, const Context& context);

}  // namespace kernmix::cli
