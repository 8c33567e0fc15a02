#pragma once
/// \file
/// Files and folders that are made whole beside what they replace, and taken away again where their
/// writer was killed.

#include <string>
#include <string_view>

#include "model/file/place.hpp"

namespace kernmix {

/// NAME.PID.NUMBER.tmp in the folder of NAME, made by nobody else before. Its writer holds a lock
/// on it, which ends with the process; it is removed unless keep() was called.
class Temporary {
 public:
  enum class Kind { file, folder };

  /// First removes what killed writers of the same place left. \throws ResourceError
  Temporary(const Place& place, Kind kind);
  ~Temporary();
  Temporary(Temporary&& other) noexcept;
  Temporary& operator=(Temporary&&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const Descriptor& out() const { return out_; }
  /// It has taken the place of the other, or another has its name.
  void keep() { name_.clear(); }

 private:
  const Descriptor* folder_;  ///< of the place, which outlives this
  std::string name_;
  Descriptor out_;
};

/// All of `bytes`; false with errno where that fails.
[[nodiscard]] bool write_all(const Descriptor& out, std::string_view bytes);

/// Removes the files in a folder of ours, then the folder, which stays where others put a folder
/// into it.
void remove_folder(const Descriptor& parent, const std::string& name);

}  // namespace kernmix
