#pragma once
/// \file
/// The folder that `auto` writes: model, report and numbers of a single run.

#include <string>
#include <vector>

#include "model/file/file.hpp"

namespace kernmix::cli {

/// Paths of the files in it.
struct ResultFiles {
  explicit ResultFiles(const std::string& folder);
  std::string model, run, tune, held_out, report;

  [[nodiscard]] std::vector<std::string> all() const;
};

/// Collects the files of a run and writes them together.
class ResultFolder {
 public:
  /// Before any work. \throws ParameterError, ResourceError where the folder cannot be written, or
  /// contains a file with one of our names that is not a result of kernmix
  explicit ResultFolder(std::string path);

  /// \param path  one of ResultFiles
  void add(const std::string& path, std::string bytes);
  /// Replaces all files of an earlier run by the added ones. \throws ResourceError
  void write() const;

 private:
  std::string path_;
  std::vector<FolderFile> files_;
};

}  // namespace kernmix::cli
