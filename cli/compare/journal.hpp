#pragma once
/// \file
/// The splits that are finished, a line each, so that a run that was cut short goes on.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.hpp"
#include "kernmix/selection/comparison.hpp"

namespace kernmix::cli {

class Journal {
 public:
  /// Reads the file where it exists, else begins it. A last line that was cut short is dropped.
  /// \param fingerprint  Experiment::fingerprint
  /// \throws DataError for the journal of another experiment, or one that is damaged
  /// \throws ResourceError where it cannot be written
  Journal(std::string file, std::uint64_t fingerprint);

  [[nodiscard]] const std::vector<ComparedSplit>& finished() const { return finished_; }
  /// Its line is in the file when this returns. \throws ResourceError where it cannot be written
  void add(const ComparedSplit& split);

 private:
  void read(const std::string& text, std::uint64_t fingerprint);

  std::string file_;
  std::vector<std::string> lines_;  ///< as they are in the file
  std::vector<ComparedSplit> finished_;
  std::optional<Descriptor> out_;
};

}  // namespace kernmix::cli
