/** A JSON value; numbers keep their text, objects every member in written order. */
export type JsonNode =
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'array'; readonly elements: readonly JsonNode[] }
  | { readonly kind: 'object'; readonly members: readonly JsonMember[] };

/** A member of an object. */
export interface JsonMember {
  readonly name: string;
  readonly value: JsonNode;
}

const NULL: JsonNode = { kind: 'null' };
const TRUE: JsonNode = { kind: 'boolean', value: true };
const FALSE: JsonNode = { kind: 'boolean', value: false };
const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what JSON refuses.
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Deepest nesting of arrays and objects outside of strings, of any text. */
export function jsonDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) at = stringEnd(text, at);
    else if (unit === 0x5b || unit === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (unit === 0x5d || unit === 0x7d) depth -= 1;
  }
  return deepest;
}

/** Position of the quote that ends a string. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== 0x22) {
    at += text.charCodeAt(at) === 0x5c ? 2 : 1;
  }
  return at;
}

/**
 * Reads a text of RFC 8259, whose nesting the caller has bounded. Lone surrogates and numbers beyond
 * the range of doubles are refused.
 *
 * @returns undefined for a text that is no JSON
 */
export function readJson(text: string): JsonNode | undefined {
  return new Reader(text).document();
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): JsonNode | undefined {
    const value = this.#value();
    this.#skip();
    return this.#at === this.#text.length ? value : undefined;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #skip(): void {
    const unit = this.#text.charCodeAt(this.#at);
    if (unit <= 0x20) this.#match(SPACE);
  }

  #takes(token: string): boolean {
    if (!this.#text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  #value(): JsonNode | undefined {
    this.#skip();
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object();
      case '[':
        return this.#array();
      case '"': {
        const text = this.#string();
        return text === undefined ? undefined : { kind: 'string', text };
      }
      case 't':
        return this.#takes('true') ? TRUE : undefined;
      case 'f':
        return this.#takes('false') ? FALSE : undefined;
      case 'n':
        return this.#takes('null') ? NULL : undefined;
      default: {
        const text = this.#match(NUMBER);
        return text === '' || !Number.isFinite(Number(text)) ? undefined : { kind: 'number', text };
      }
    }
  }

  #array(): JsonNode | undefined {
    const elements: JsonNode[] = [];
    this.#at += 1;
    this.#skip();
    if (this.#takes(']')) return { kind: 'array', elements };
    for (;;) {
      const value = this.#value();
      if (value === undefined) return undefined;
      elements.push(value);
      this.#skip();
      if (this.#takes(']')) return { kind: 'array', elements };
      if (!this.#takes(',')) return undefined;
    }
  }

  #object(): JsonNode | undefined {
    const members: JsonMember[] = [];
    this.#at += 1;
    this.#skip();
    if (this.#takes('}')) return { kind: 'object', members };
    for (;;) {
      this.#skip();
      const name = this.#text[this.#at] === '"' ? this.#string() : undefined;
      this.#skip();
      if (name === undefined || !this.#takes(':')) return undefined;
      const value = this.#value();
      if (value === undefined) return undefined;
      members.push({ name, value });
      this.#skip();
      if (this.#takes('}')) return { kind: 'object', members };
      if (!this.#takes(',')) return undefined;
    }
  }

  #string(): string | undefined {
    this.#at += 1;
    let text = this.#match(PLAIN);
    while (this.#text[this.#at] === '\\') {
      const escaped = this.#escape();
      if (escaped === undefined) return undefined;
      text += escaped + this.#match(PLAIN);
    }
    return this.#takes('"') && text.isWellFormed() ? text : undefined;
  }

  #escape(): string | undefined {
    const letter = this.#text[this.#at + 1] ?? '';
    if (letter !== 'u') {
      this.#at += 2;
      return Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
    }
    const digits = this.#text.slice(this.#at + 2, this.#at + 6);
    this.#at += 6;
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) return undefined;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }
}
