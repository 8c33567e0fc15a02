#pragma once
/// \file
/// A long output whose pieces appear together, at the end, in a file or on standard output.

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "model/file/file.hpp"

namespace kernmix::cli {

/// Until finish() a file is a temporary one next to its place, and what goes to standard output
/// waits in memory or, if it is long, in a temporary file without a name.
class PiecewiseOutput {
 public:
  /// \param path  "-" is standard output
  explicit PiecewiseOutput(const std::string& path);
  /// Appends whole lines. \throws ResourceError
  void add(std::string_view text);
  /// \throws as write_text()
  void finish();

 private:
  struct Close {
    void operator()(std::FILE* file) const { (void)std::fclose(file); }
  };
  void spill();

  std::optional<FileWriter> file_;
  std::string waiting_;
  std::unique_ptr<std::FILE, Close> spilled_;
};

}  // namespace kernmix::cli
