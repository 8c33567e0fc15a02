#pragma once
/// \file
/// Where results go: files that appear whole or not at all, and standard output.

#include <string>
#include <string_view>
#include <vector>

#include "json_text.hpp"

namespace kernmix::cli {

using namespace documents;

/// An output file and the option that named it; an empty path means: not asked for.
struct OutputFile {
  std::string option;
  std::string path;
};

/// No output is an input or another output. \throws ParameterError naming the option
void check_names(const std::vector<OutputFile>& outputs, const std::vector<std::string>& inputs);

/// check_names(), and before any work: every folder exists and may be written, no output is a
/// folder. \throws ParameterError or ResourceError naming the option
void check_outputs(const std::vector<OutputFile>& outputs, const std::vector<std::string>& inputs);

/// Writes `text` to `path`, "-" being standard output (on a terminal with its control characters
/// shown), else by a temporary file and a rename.
void write_text(const std::string& path, std::string_view text);

/// Thrown when the reader of standard output went away: nothing is left to say.
struct ClosedPipe {};

/// \throws ClosedPipe, or ResourceError when standard output cannot take the text
void write_stdout(std::string_view text);

/// Files that are opened later never get the number of a standard stream that was closed before the
/// start, as a model file would the number of standard error, with our messages in it.
void keep_standard_streams();

/// Each matrix file stays open until the end: as many as the system allows at all.
void allow_many_files();

/// Text for people on standard error, its control characters shown (visible()). What cannot be
/// shown (a full disk, a closed pipe) is dropped: no answer is lost over a message.
void write_message(std::string_view text) noexcept;

/// The same with control characters as they are: of our own progress line.
void write_terminal(std::string_view text) noexcept;

/// The result of a command: `text` on standard output and `document` in the file that --json names
/// (when it names one). With `--json -` only the document goes to standard output.
void emit(const std::string& text, const Json& document, const std::string& json_file);

}  // namespace kernmix::cli
