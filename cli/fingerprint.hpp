#pragma once
/// \file
/// Whether two runs of a command ask for the same.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace kernmix::cli {

/// Of the version, the values of all options of `command` (defaults included, a configuration file
/// applied) but those that say where results go and what the run may use, and of the contents of
/// the files that they name. So an option that is added counts.
/// \param files  more files to read
/// \param more  what else decides the results
[[nodiscard]] std::uint64_t run_fingerprint(const CLI::App& command,
                                            const std::vector<std::string>& files,
                                            const std::string& more);

}  // namespace kernmix::cli
