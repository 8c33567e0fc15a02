#pragma once
/// \file
/// The files that a command reads and writes, by the options that name them.

#include <string>
#include <vector>

#include "command.hpp"
#include "output.hpp"

namespace kernmix::cli {

struct CommandFiles {
  std::vector<std::string> inputs;  ///< without NAME= and :ARRAY
  std::vector<OutputFile> outputs;  ///< without folders
};

/// The values of an option, or its preset.
[[nodiscard]] std::vector<std::string> given_or_preset(const CLI::Option& option);

/// The files that the options of a parsed command name, by the FileUse of each option; the
/// configuration file is applied before.
[[nodiscard]] CommandFiles files_of(CLI::App& command);

/// Which values of a setting name files: of "auto|none|R|FILE" those that are no word and no
/// number. \param word  Field::word
[[nodiscard]] bool names_file(const std::string& word, const std::string& value);

}  // namespace kernmix::cli
