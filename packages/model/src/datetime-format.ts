/** A directive or a piece of literal text of a datetime format. */
export type FormatPart =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'directive'; readonly directive: string; readonly isUnpadded: boolean };

/** The parts of a format, or what is wrong with it. */
export type FormatOutcome =
  | { readonly kind: 'ok'; readonly parts: readonly FormatPart[] }
  | { readonly kind: 'defect'; readonly defect: string };

/** Longest format, in bytes of UTF-8. */
const FORMAT_BYTES_MAX = 256;

const SIMPLE: ReadonlySet<string> = new Set('YmbBdejaAuwGVHIpMSfszZQFTR%nt'.split(''));
/** Directives that `-` may precede: they then write no leading zero. */
const UNPADDED: ReadonlySet<string> = new Set('mdjVHIMS'.split(''));
const LONGER = ['.f', ':z', '::z', ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((digits) => `${digits}f`)];
/** Shorthands and what they stand for. */
const SHORTHANDS: Readonly<Record<string, string>> = { F: 'Ymd', T: 'HMS', R: 'HM' };

/** Reads a format of `%` directives; every other character is literal. Places are in bytes. */
export function readDatetimeFormat(format: string): FormatOutcome {
  const bytes = new TextEncoder().encode(format).length;
  if (bytes > FORMAT_BYTES_MAX) return defect(`it exceeds ${FORMAT_BYTES_MAX} bytes`);
  const parts: FormatPart[] = [];
  for (let at = 0; at < format.length; ) {
    if (format[at] !== '%') {
      const end = format.indexOf('%', at);
      const text = format.slice(at, end < 0 ? format.length : end);
      parts.push({ kind: 'literal', text });
      at += text.length;
      continue;
    }
    const isUnpadded = format[at + 1] === '-';
    const first = at + (isUnpadded ? 2 : 1);
    const directive = directiveAt(format, first);
    if (directive === undefined || (isUnpadded && !UNPADDED.has(directive))) {
      return unreadable(format, at, first);
    }
    parts.push({ kind: 'directive', directive, isUnpadded });
    at = first + directive.length;
  }
  return { kind: 'ok', parts };
}

function directiveAt(format: string, at: number): string | undefined {
  const longer = LONGER.find((each) => format.startsWith(each, at));
  if (longer !== undefined) return longer;
  const letter = format[at];
  return letter !== undefined && SIMPLE.has(letter) ? letter : undefined;
}

function unreadable(format: string, at: number, first: number): FormatOutcome {
  const place = `at byte ${new TextEncoder().encode(format.slice(0, at)).length}`;
  const rest = format.slice(first);
  const isCut = LONGER.some((each) => each.startsWith(rest) && rest.length < each.length);
  if (isCut) return defect(`incomplete directive ${place}`);
  const [letter = ''] = rest;
  return defect(`unknown directive '${format.slice(at, first)}${letter}' ${place}`);
}

function defect(text: string): FormatOutcome {
  return { kind: 'defect', defect: text };
}

/** What a format reads of an instant. */
export interface FormatReading {
  /** Whether it reads an offset or counts from 1970: no zone is needed then, nor taken. */
  readonly isZoned: boolean;
}

/** Field that each directive reads; a format may read each field once. */
const FIELDS: Readonly<Record<string, string>> = {
  Y: 'year',
  m: 'month',
  b: 'month',
  B: 'month',
  d: 'day',
  e: 'day',
  j: 'day of the year',
  a: 'day of the week',
  A: 'day of the week',
  u: 'day of the week',
  w: 'day of the week',
  G: 'ISO year',
  V: 'ISO week',
  H: 'hour',
  I: 'hour',
  p: 'half of the day',
  M: 'minute',
  S: 'second',
  s: 'time since 1970',
  z: 'offset',
  ':z': 'offset',
  '::z': 'offset',
};

/**
 * Whether texts can be read by a format: it has to name one instant, each field once.
 *
 * @returns what it reads, or the defect as text
 */
export function formatReadingOf(parts: readonly FormatPart[]): FormatReading | string {
  const fields = new Set<string>();
  const directives = new Set<string>();
  for (const part of parts) {
    if (part.kind === 'literal') continue;
    const { directive } = part;
    if (directive === 'Z' || directive === 'Q') return `directive '%${directive}' is only written`;
    for (const each of SHORTHANDS[directive] ?? [directive]) {
      const key = directive.length > 1 ? directive : each;
      const field = key.endsWith('f') ? 'fraction' : FIELDS[key];
      directives.add(key);
      if (field === undefined) continue;
      if (fields.has(field)) return `it reads the ${field} twice`;
      fields.add(field);
    }
  }
  const missing = missingField(fields, directives);
  if (missing !== undefined) return missing;
  return { isZoned: fields.has('offset') || fields.has('time since 1970') };
}

/** What can stand beside the seconds since 1970 without saying anything else than they do. */
const BESIDE_INSTANT: ReadonlySet<string> = new Set(['time since 1970', 'fraction', 'offset']);

function missingField(
  fields: ReadonlySet<string>,
  directives: ReadonlySet<string>,
): string | undefined {
  const has = (...names: readonly string[]): boolean => names.every((name) => fields.has(name));
  const isDated =
    has('year', 'month', 'day') ||
    has('year', 'day of the year') ||
    has('ISO year', 'ISO week', 'day of the week');
  const isInstant = has('time since 1970');
  if (!isDated && !isInstant) return 'it reads no date';
  if (has('minute') && !has('hour')) return 'it reads a minute without an hour';
  if (has('second') && !has('minute')) return 'it reads a second without a minute';
  if (has('fraction') && !has('second') && !isInstant) {
    return 'it reads a fraction without a second';
  }
  if (directives.has('I') && !has('half of the day')) return "it reads '%I' without '%p'";
  if (has('half of the day') && !has('hour')) return "it reads '%p' without an hour";
  const beside = [...fields].find((field) => isInstant && !BESIDE_INSTANT.has(field));
  return beside === undefined ? undefined : `it reads the ${beside} beside the time since 1970`;
}
