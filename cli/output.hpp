#pragma once
/// \file
/// Output of results: files that are written atomically, and standard output.

#include <string>
#include <string_view>
#include <vector>

#include "json_text.hpp"

namespace kernmix::cli {

using namespace documents;

/// An output file and the option that named it; an empty path means that it was not requested.
struct OutputFile {
  std::string option;
  std::string path;
};

/// Checks that no output is an input or another output. \throws ParameterError naming the option
void check_names(const std::vector<OutputFile>& outputs, const std::vector<std::string>& inputs);

/// check_names(), and checks before any work that all folders exist and are writable, and that no
/// output is a folder. \throws ParameterError or ResourceError naming the option
void check_outputs(const std::vector<OutputFile>& outputs, const std::vector<std::string>& inputs);

/// Writes `text` to `path`, where "-" is standard output (with visible control characters on a
/// terminal); files are written by a temporary file and a rename.
void write_text(const std::string& path, std::string_view text);

/// Thrown if the reader of standard output has closed it; no message is needed.
struct ClosedPipe {};

/// \throws ClosedPipe, or ResourceError if writing to standard output fails
void write_stdout(std::string_view text);

/// Reopens standard streams that were closed before the start, so that a file, such as a model,
/// does not get the descriptor of standard error and its messages.
void keep_standard_streams();

/// Raises the limit of open files, because each matrix file stays open until the end.
void allow_many_files();

/// Writes text to standard error with visible control characters. Errors (a full disk, a closed
/// pipe) are ignored, so that a message cannot prevent a result.
void write_message(std::string_view text) noexcept;

/// The same with control characters unchanged, for the progress line.
void write_terminal(std::string_view text) noexcept;

/// The result of a command: `text` on standard output and `document` in the file of --json, if any.
/// With `--json -` only the document goes to standard output.
void emit(const std::string& text, const Json& document, const std::string& json_file);

}  // namespace kernmix::cli
