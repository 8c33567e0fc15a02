#include "model/file/model_container.hpp"
#include "survive.hpp"

using namespace kernmix;

/// What is read is written again, in the newest version.
KERNMIX_FUZZ {
  // The checksum is made right: changes are to reach what is behind it.
  if (text.size() < 8) return;
  const Model model = decode_model(with_checksum(text.substr(0, text.size() - 8)));
  fuzz::expect(!encode_model(model).empty());
}
