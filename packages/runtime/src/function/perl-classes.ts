/** Members of the classes as they stand between brackets; Unicode's Alphabetic beyond letters too. */
const SPACES =
  '\\t-\\r \\x{85}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}';
const NOT_SPACES =
  '\\x{0}-\\x{8}\\x{E}-\\x{1F}\\x{21}-\\x{84}\\x{86}-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}' +
  '\\x{200B}-\\x{2027}\\x{202A}-\\x{202E}\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{10FFFF}';
const WORDS =
  '\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}\\x{200C}\\x{200D}\\x{24B6}-\\x{24E9}' +
  '\\x{1F130}-\\x{1F149}\\x{1F150}-\\x{1F169}\\x{1F170}-\\x{1F189}';
const WORD = /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]/u;

/** Last code point of Unicode. */
const LAST = 0x10ffff;

let notWords: string | undefined;

/** Everything that is in no word, as ranges: brackets cannot subtract. */
function rangesOutsideWords(): string {
  if (notWords !== undefined) return notWords;
  notWords = '';
  let start = -1;
  for (let code = 0; code <= LAST + 1; code += 1) {
    const isOutside = code <= LAST && !WORD.test(String.fromCodePoint(code));
    if (isOutside && start < 0) start = code;
    if (isOutside || start < 0) continue;
    notWords += `\\x{${start.toString(16)}}-\\x{${(code - 1).toString(16)}}`;
    start = -1;
  }
  return notWords;
}

/** Members of a class, for a place between brackets. */
function members(letter: string): string {
  switch (letter) {
    case 'd':
      return '\\p{Nd}';
    case 'D':
      return '\\P{Nd}';
    case 's':
      return SPACES;
    case 'S':
      return NOT_SPACES;
    case 'w':
      return WORDS;
    default:
      return rangesOutsideWords();
  }
}

/** A class that stands alone. */
function standing(letter: string): string {
  if (letter === 'd' || letter === 'D') return members(letter);
  const isNegated = letter === letter.toUpperCase();
  return `[${isNegated ? '^' : ''}${members(letter.toLowerCase())}]`;
}

/** Rewrites `\d`, `\s`, `\w` and their opposites, which RE2 reads as ASCII, to classes of Unicode. */
export function unicodePerlClasses(pattern: string): string {
  let out = '';
  let isClass = false;
  for (let at = 0; at < pattern.length; ) {
    if (pattern.startsWith('\\Q', at) && !isClass) {
      const end = pattern.indexOf('\\E', at);
      const stop = end < 0 ? pattern.length : end + 2;
      out += pattern.slice(at, stop);
      at = stop;
      continue;
    }
    const character = pattern[at] ?? '';
    if (character === '\\') {
      const letter = pattern[at + 1] ?? '';
      const isPerl = letter !== '' && 'dDsSwW'.includes(letter);
      out += isPerl ? (isClass ? members(letter) : standing(letter)) : character + letter;
      at += 1 + letter.length;
      continue;
    }
    if (isClass && pattern.startsWith('[:', at)) {
      const end = pattern.indexOf(':]', at);
      const stop = end < 0 ? at + 2 : end + 2;
      out += pattern.slice(at, stop);
      at = stop;
      continue;
    }
    if (isClass && character === ']') isClass = false;
    else if (!isClass && character === '[') {
      const opening = /^\[\^?\]?/.exec(pattern.slice(at, at + 3))?.[0] ?? '[';
      out += opening;
      at += opening.length;
      isClass = true;
      continue;
    }
    out += character;
    at += 1;
  }
  return out;
}
