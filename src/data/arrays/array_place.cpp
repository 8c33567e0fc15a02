#include "data/arrays/array_place.hpp"

#include <filesystem>
#include <system_error>

#include "data/arrays/array_file.hpp"
#include "data/file.hpp"

namespace kernmix {

namespace fs = std::filesystem;

namespace {

/// "FILE:PLACE" without a name.
FilePlace place_in_file(const std::string& text) {
  std::error_code failure;
  FilePlace result;
  result.file = text;
  for (std::size_t colon = text.rfind(':');
       colon != std::string::npos && colon > 0 && !fs::exists(result.file, failure);
       colon = text.rfind(':', colon - 1)) {
    if (!holds_arrays(text.substr(0, colon))) continue;
    result.place = text.substr(colon + 1);
    result.file = text.substr(0, colon);
  }
  return result;
}

}  // namespace

FilePlace file_place(const std::string& specification) {
  std::error_code failure;
  FilePlace result = place_in_file(specification);
  const std::size_t equals = specification.find('=');
  if (equals != std::string::npos && equals > 0 && !fs::exists(result.file, failure)) {
    result = place_in_file(specification.substr(equals + 1));
    result.named = true;
    result.name = specification.substr(0, equals);
    return result;
  }
  const std::string last = result.place.substr(result.place.rfind('/') + 1);
  result.name = last.empty() ? name_of_file(result.file) : last;
  return result;
}

}  // namespace kernmix
