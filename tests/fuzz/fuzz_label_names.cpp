#include "data/label_names.hpp"
#include "survive.hpp"

KERNMIX_FUZZ { kernmix::fuzz::expect(!kernmix::parse_label_names(text, "input").empty()); }
