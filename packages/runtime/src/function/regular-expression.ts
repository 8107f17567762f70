import { RE2JS, RE2JSSyntaxException } from 're2js';
import { unicodePerlClasses } from './perl-classes.js';

/** A compiled expression, or why a text is none. */
export type PatternOutcome =
  | { readonly kind: 'pattern'; readonly pattern: RegularExpression }
  /** Never holds the text itself. */
  | { readonly kind: 'defect'; readonly defect: string };

const NAME = /[0-9A-Za-z_]+/y;

/**
 * A regular expression in the syntax of RE2, whose classes `\d`, `\s` and `\w` know all of Unicode.
 * Matching takes time linear in the text.
 */
export class RegularExpression {
  readonly #compiled: RE2JS;

  private constructor(compiled: RE2JS) {
    this.#compiled = compiled;
  }

  static compile(this: void, pattern: string): PatternOutcome {
    try {
      const compiled = RE2JS.compile(unicodePerlClasses(pattern));
      return { kind: 'pattern', pattern: new RegularExpression(compiled) };
    } catch (error) {
      if (!(error instanceof RE2JSSyntaxException)) throw error;
      return { kind: 'defect', defect: error.getDescription() };
    }
  }

  /** Whether it matches anywhere. */
  test(text: string): boolean {
    return this.#compiled.test(text);
  }

  /** A group of the first match; null without a match or where the group took no part. */
  group(text: string, index: number): string | null {
    if (index < 0 || index > this.#compiled.groupCount()) return null;
    const matcher = this.#compiled.matcher(text);
    return matcher.find() ? (matcher.group(index) ?? null) : null;
  }

  /**
   * The text with every match replaced. `$1`, `$name` and `${name}` insert a group, `$$` a dollar
   * sign; a name is the longest run of letters, digits and `_`, and one of no group inserts nothing.
   */
  replaceAll(text: string, replacement: string): string {
    const parts = readReplacement(replacement);
    const groups = this.#compiled.namedGroups();
    const matcher = this.#compiled.matcher(text);
    let out = '';
    let last = 0;
    let isFirst = true;
    while (matcher.find()) {
      const [start, end] = [matcher.start(), matcher.end()];
      // An empty match right behind another one is none.
      if (start === end && start === last && !isFirst) continue;
      isFirst = false;
      out += text.slice(last, start);
      for (const part of parts) {
        if (part.kind === 'text') {
          out += part.text;
          continue;
        }
        const group = groupIndex(part.name, groups);
        if (group <= matcher.groupCount()) out += matcher.group(group) ?? '';
      }
      last = end;
    }
    return out + text.slice(last);
  }
}

function groupIndex(name: string, groups: Readonly<Record<string, number>>): number {
  if (/^[0-9]+$/.test(name)) return Number(name);
  return Object.hasOwn(groups, name) ? (groups[name] ?? Infinity) : Infinity;
}

type ReplacementPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'group'; readonly name: string };

function readReplacement(written: string): readonly ReplacementPart[] {
  const parts: ReplacementPart[] = [];
  let at = 0;
  while (at < written.length) {
    const dollar = written.indexOf('$', at);
    if (dollar < 0) break;
    if (dollar > at) parts.push({ kind: 'text', text: written.slice(at, dollar) });
    const next = written[dollar + 1];
    const close = next === '{' ? written.indexOf('}', dollar) : -1;
    NAME.lastIndex = dollar + 1;
    const name = NAME.exec(written)?.[0];
    if (close >= 0) {
      parts.push({ kind: 'group', name: written.slice(dollar + 2, close) });
      at = close + 1;
    } else if (name !== undefined) {
      parts.push({ kind: 'group', name });
      at = dollar + 1 + name.length;
    } else {
      parts.push({ kind: 'text', text: '$' });
      at = dollar + (next === '$' ? 2 : 1);
    }
  }
  if (at < written.length) parts.push({ kind: 'text', text: written.slice(at) });
  return parts;
}
