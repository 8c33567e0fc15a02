#include "model/file/model_container.hpp"
#include "survive.hpp"

using namespace kernmix;

/// What is read is written again as the same bytes, or as those of the newest version.
KERNMIX_FUZZ {
  // The checksum is made right: changes are to reach what is behind it.
  if (text.size() < 8) return;
  const AnyModel model = decode_any_model(with_checksum(text.substr(0, text.size() - 8)));
  std::visit([](const auto& one) { fuzz::expect(!encode_model(one).empty()); }, model);
}
