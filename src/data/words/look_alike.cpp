#include "data/words/look_alike.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>

#include "base/text.hpp"
#include "data/csv/encoding.hpp"

namespace kernmix {
namespace {

/// Letters with the same mark: the k-th letter and the mark are also written as the k-th of
/// `composed`.
struct Compositions {
  char16_t mark;
  std::u16string_view letters;
  std::u16string_view composed;
};

// The pairs of Unicode 15 in U+00C0-024F, U+0370-052F, U+1E00-1EFF and U+3040-30FF.
// clang-format off
constexpr Compositions compositions[] = {
    {0x0300,
     u"AEIOUaeiouÜüNnЕИеиĒēŌōWwÂâĂăÊêÔôƠơƯưYy",
     u"ÀÈÌÒÙàèìòùǛǜǸǹЀЍѐѝḔḕṐṑẀẁẦầẰằỀềỒồỜờỪừỲỳ"},
    {0x0301,
     u"AEIOUYaeiouyCcLlNnRrSsZzÜüGgÅåÆæØø¨ΑΕΗΙΟ"
     u"ΥΩϊαεηιϋουωϒГКгкÇçĒēÏïKkMmÕõŌōPpŨũWwÂâĂă"
     u"ÊêÔôƠơƯư",
     u"ÁÉÍÓÚÝáéíóúýĆćĹĺŃńŔŕŚśŹźǗǘǴǵǺǻǼǽǾǿ΅ΆΈΉΊΌ"
     u"ΎΏΐάέήίΰόύώϓЃЌѓќḈḉḖḗḮḯḰḱḾḿṌṍṒṓṔṕṸṹẂẃẤấẮắ"
     u"ẾếỐốỚớỨứ"},
    {0x0302,
     u"AEIOUaeiouCcGgHhJjSsWwYyZzẠạẸẹỌọ",
     u"ÂÊÎÔÛâêîôûĈĉĜĝĤĥĴĵŜŝŴŵŶŷẐẑẬậỆệỘộ"},
    {0x0303,
     u"ANOanoIiUuVvÂâĂăEeÊêÔôƠơƯưYy",
     u"ÃÑÕãñõĨĩŨũṼṽẪẫẴẵẼẽỄễỖỗỠỡỮữỸỹ"},
    {0x0304,
     u"AaEeIiOoUuÜüÄäȦȧÆæǪǫÖöÕõȮȯYyИиУуGgḶḷṚṛ",
     u"ĀāĒēĪīŌōŪūǕǖǞǟǠǡǢǣǬǭȪȫȬȭȰȱȲȳӢӣӮӯḠḡḸḹṜṝ"},
    {0x0306,
     u"AaEeGgIiOoUuУИиуЖжАаЕеȨȩẠạ",
     u"ĂăĔĕĞğĬĭŎŏŬŭЎЙйўӁӂӐӑӖӗḜḝẶặ"},
    {0x0307,
     u"CcEeGgIZzAaOoBbDdFfHhMmNnPpRrSsŚśŠšṢṣTtW"
     u"wXxYyſ",
     u"ĊċĖėĠġİŻżȦȧȮȯḂḃḊḋḞḟḢḣṀṁṄṅṖṗṘṙṠṡṤṥṦṧṨṩṪṫẆ"
     u"ẇẊẋẎẏẛ"},
    {0x0308,
     u"AEIOUaeiouyYΙΥιυϒЕІеіАаӘәЖжЗзИиОоӨөЭэУуЧ"
     u"чЫыHhÕõŪūWwXxt",
     u"ÄËÏÖÜäëïöüÿŸΪΫϊϋϔЁЇёїӒӓӚӛӜӝӞӟӤӥӦӧӪӫӬӭӰӱӴ"
     u"ӵӸӹḦḧṎṏṺṻẄẅẌẍẗ"},
    {0x0309,
     u"AaÂâĂăEeÊêIiOoÔôƠơUuƯưYy",
     u"ẢảẨẩẲẳẺẻỂểỈỉỎỏỔổỞởỦủỬửỶỷ"},
    {0x030a,
     u"AaUuwy",
     u"ÅåŮůẘẙ"},
    {0x030b,
     u"OoUuУу",
     u"ŐőŰűӲӳ"},
    {0x030c,
     u"CcDdEeLlNnRrSsTtZzAaIiOoUuÜüGgKkƷʒjHh",
     u"ČčĎďĚěĽľŇňŘřŠšŤťŽžǍǎǏǐǑǒǓǔǙǚǦǧǨǩǮǯǰȞȟ"},
    {0x030f,
     u"AaEeIiOoRrUuѴѵ",
     u"ȀȁȄȅȈȉȌȍȐȑȔȕѶѷ"},
    {0x0311,
     u"AaEeIiOoRrUu",
     u"ȂȃȆȇȊȋȎȏȒȓȖȗ"},
    {0x031b,
     u"OoUu",
     u"ƠơƯư"},
    {0x0323,
     u"BbDdHhKkLlMmNnRrSsTtVvWwZzAaEeIiOoƠơUuƯư"
     u"Yy",
     u"ḄḅḌḍḤḥḲḳḶḷṂṃṆṇṚṛṢṣṬṭṾṿẈẉẒẓẠạẸẹỊịỌọỢợỤụỰự"
     u"Ỵỵ"},
    {0x0324,
     u"Uu",
     u"Ṳṳ"},
    {0x0325,
     u"Aa",
     u"Ḁḁ"},
    {0x0326,
     u"SsTt",
     u"ȘșȚț"},
    {0x0327,
     u"CcGgKkLlNnRrSsTtEeDdHh",
     u"ÇçĢģĶķĻļŅņŖŗŞşŢţȨȩḐḑḨḩ"},
    {0x0328,
     u"AaEeIiUuOo",
     u"ĄąĘęĮįŲųǪǫ"},
    {0x032d,
     u"DdEeLlNnTtUu",
     u"ḒḓḘḙḼḽṊṋṰṱṶṷ"},
    {0x032e,
     u"Hh",
     u"Ḫḫ"},
    {0x0330,
     u"EeIiUu",
     u"ḚḛḬḭṴṵ"},
    {0x0331,
     u"BbDdKkLlNnRrTtZzh",
     u"ḆḇḎḏḴḵḺḻṈṉṞṟṮṯẔẕẖ"},
    {0x3099,
     u"かきくけこさしすせそたちつてとはひふへほうゝカキクケコサシスセソタチツテトハヒフ"
     u"ヘホウワヰヱヲヽ",
     u"がぎぐげござじずぜぞだぢづでどばびぶべぼゔゞガギグゲゴザジズゼゾダヂヅデドバビブ"
     u"ベボヴヷヸヹヺヾ"},
    {0x309a,
     u"はひふへほハヒフヘホ",
     u"ぱぴぷぺぽパピプペポ"},
};
// clang-format on

struct Decomposed {
  std::uint32_t letter = 0;
  std::uint32_t mark = 0;
};

const std::map<std::uint32_t, Decomposed>& decompositions() {
  static const std::map<std::uint32_t, Decomposed> all = [] {
    std::map<std::uint32_t, Decomposed> found;
    for (const Compositions& one : compositions) {
      for (std::size_t k = 0; k < one.letters.size(); ++k) {
        found[one.composed[k]] = {one.letters[k], one.mark};
      }
    }
    return found;
  }();
  return all;
}

constexpr std::uint32_t first_syllable = 0xac00;
constexpr std::uint32_t end_of_syllables = 0xd7a4;

/// A Korean syllable as its letters.
void append_syllable(std::string& text, std::uint32_t code) {
  constexpr std::uint32_t vowels = 21;
  constexpr std::uint32_t finals = 28;
  const std::uint32_t place = code - first_syllable;
  append_utf8(text, 0x1100 + place / (vowels * finals));
  append_utf8(text, 0x1161 + place / finals % vowels);
  if (place % finals > 0) append_utf8(text, 0x11a7 + place % finals);
}

void append_apart(std::string& text, std::uint32_t code) {
  if (code >= first_syllable && code < end_of_syllables) return append_syllable(text, code);
  const auto own = decompositions().find(code);
  if (own == decompositions().end()) return append_utf8(text, code);
  append_apart(text, own->second.letter);
  append_utf8(text, own->second.mark);
}

/// Latin, Greek and Cyrillic capitals without marks.
std::uint32_t in_lower_case(std::uint32_t code) {
  const auto between = [&](std::uint32_t first, std::uint32_t last) {
    return code >= first && code <= last;
  };
  if (between('A', 'Z') || between(0xc6, 0xde) || between(0x391, 0x3a9) || between(0x410, 0x42f)) {
    return code == 0xd7 ? code : code + 0x20;
  }
  return between(0x400, 0x40f) ? code + 0x50 : code;
}

bool is_plain_blank(std::uint32_t code) {
  return code == ' ' || code == '\t' || code == '\n' || code == '\r';
}

/// Blanks of other widths, most of which do not break lines.
bool is_other_blank(std::uint32_t code) {
  return code == 0xa0 || (code >= 0x2000 && code <= 0x200a) || code == 0x202f || code == 0x205f ||
         code == 0x3000;
}

bool is_invisible(std::uint32_t code) {
  return code == 0xad || (code >= 0x200b && code <= 0x200f) || code == 0x2060 || code == 0xfeff;
}

/// What is left out of account.
struct Looks {
  bool case_and_blanks = true;
  bool other_blanks = true;
  bool invisible = true;
  bool composition = true;
};

std::string text_by(std::string_view word, const Looks& same) {
  std::string apart;
  for (std::size_t i = 0; i < word.size();) {
    const Utf8Character c = character_at(word, i);
    if (c.bytes == 0) {
      apart += word[i++];
      continue;
    }
    i += c.bytes;
    const bool skipped = (same.case_and_blanks && is_plain_blank(c.code)) ||
                         (same.other_blanks && is_other_blank(c.code)) ||
                         (same.invisible && is_invisible(c.code));
    if (skipped) continue;
    if (same.composition) {
      append_apart(apart, c.code);
    } else {
      append_utf8(apart, c.code);
    }
  }
  if (!same.case_and_blanks) return apart;
  std::string text;
  for (std::size_t i = 0; i < apart.size();) {
    const Utf8Character c = character_at(apart, i);
    if (c.bytes == 0) {
      text += apart[i++];
      continue;
    }
    i += c.bytes;
    append_utf8(text, in_lower_case(c.code));
  }
  return text;
}

}  // namespace

std::string look_of(std::string_view word) { return text_by(word, {}); }

std::string difference_in_look(std::string_view left, std::string_view right) {
  const auto needs = [&](bool Looks::*part) {
    Looks others;
    others.*part = false;
    return text_by(left, others) != text_by(right, others);
  };
  std::vector<std::string> parts;
  if (needs(&Looks::case_and_blanks)) parts.emplace_back("case or blanks");
  if (needs(&Looks::other_blanks)) parts.emplace_back("a no-break space");
  if (needs(&Looks::invisible)) parts.emplace_back("a zero-width character");
  if (needs(&Looks::composition)) parts.emplace_back("letters that are one character or two");
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : " and ") + part;
  return text;
}

LookAlikes find_look_alikes(const std::vector<std::string>& words) {
  constexpr std::size_t most = 1000;
  std::set<std::string_view> different;
  for (const std::string& word : words) {
    different.insert(word);
    if (different.size() > most) return {};
  }
  std::map<std::string, std::string_view> known;
  for (const std::string_view word : different) {
    const auto [other, is_new] = known.emplace(look_of(word), word);
    if (is_new) continue;
    return {std::string(other->second), std::string(word), difference_in_look(other->second, word)};
  }
  return {};
}

std::string look_alike_hint(std::string_view word, const std::vector<std::string>& known,
                            std::string_view what) {
  const std::string look = look_of(word);
  for (const std::string& one : known) {
    if (one == word || look_of(one) != look) continue;
    return fmt::format("; the {} {} looks the same and differs in {}", what, in_quotes(one),
                       difference_in_look(word, one));
  }
  return "";
}

}  // namespace kernmix
