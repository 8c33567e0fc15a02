#pragma once
/// \file
/// Temporary files and folders next to their targets, which later runs remove if their writer was
/// killed.

#include <string>
#include <string_view>

#include "model/file/place.hpp"

namespace kernmix {

/// NAME.PID.NUMBER.tmp in the folder of NAME, newly created. Its writer holds a lock until the
/// process ends; it is removed unless keep() is called.
class Temporary {
 public:
  enum class Kind { file, folder };

  /// First removes temporaries of killed writers of the same place. \throws ResourceError
  Temporary(const Place& place, Kind kind);
  ~Temporary();
  Temporary(Temporary&& other) noexcept;
  Temporary& operator=(Temporary&&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const Descriptor& out() const { return out_; }
  /// The temporary was renamed and must not be removed.
  void keep() { name_.clear(); }

 private:
  const Descriptor* folder_;  ///< of the place, which outlives this
  std::string name_;
  Descriptor out_;
};

/// Removes the files in a folder, then the folder unless it contains folders.
void remove_folder(const Descriptor& parent, const std::string& name);

}  // namespace kernmix
