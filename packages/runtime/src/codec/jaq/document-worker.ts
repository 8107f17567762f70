import { type MessagePort, workerData } from 'node:worker_threads';
import { parse, TomlError } from 'smol-toml';
import { Composer, CST, isAlias, isCollection, isMap, isScalar, Lexer, Parser } from 'yaml';

// Loaded from the sources as they are, so it imports nothing of this package.

/** What the owner of the thread hands over. */
interface Handover {
  readonly port: MessagePort;
  /** Set to 1 and notified when the thread is ready, and for each answer. */
  readonly signal: Int32Array;
  /** Deepest nesting of a value. */
  readonly depthMax: number;
  /** Most anchors of a payload, most aliases, and most nodes that its aliases stand for. */
  readonly anchorsMax: number;
}

const { port, signal, depthMax, anchorsMax } = workerData as Handover;

/** Most properties before one node: an anchor and a tag of a mapping and of its first key. */
const PROPERTIES_MAX = 4;

/** Why a document is none of its format, or none that has a JSON form. */
class DocumentDefect extends Error {}

const malformed = (format: string) => new DocumentDefect(`malformed ${format}`);
const unusable = (format: string, reason: string) =>
  new DocumentDefect(`unusable ${format}: ${reason}`);
const tooDeep = (format: string) => unusable(format, `nesting deeper than ${depthMax}`);

/**
 * Counts what the library takes more than linear time for, token by token and before the library
 * sees it: nesting on one line, properties of one node, anchors and aliases.
 */
class TokenBounds {
  #flowDepth = 0;
  #lineDepth = 0;
  #properties = 0;
  #anchors = 0;
  #aliases = 0;
  #isScalar = false;

  /** @throws DocumentDefect for a token that exceeds a bound */
  check(token: string): void {
    const type = this.#isScalar ? 'scalar' : CST.tokenType(token);
    this.#isScalar = type === 'scalar' && !this.#isScalar;
    switch (type) {
      case 'space':
      case 'newline':
      case 'comment':
        break;
      case 'anchor':
      case 'tag':
        this.#properties += 1;
        if (this.#properties > PROPERTIES_MAX) throw malformed('YAML');
        if (type === 'anchor') this.#anchors += 1;
        break;
      default:
        this.#properties = 0;
    }
    if (type === 'alias') this.#aliases += 1;
    if (this.#anchors > anchorsMax || this.#aliases > anchorsMax) throw unusable('YAML', 'aliases');
    this.#nest(type);
  }

  #nest(type: ReturnType<typeof CST.tokenType>): void {
    switch (type) {
      case 'flow-map-start':
      case 'flow-seq-start':
        this.#flowDepth += 1;
        break;
      case 'flow-map-end':
      case 'flow-seq-end':
        this.#flowDepth = Math.max(0, this.#flowDepth - 1);
        break;
      case 'seq-item-ind':
      case 'explicit-key-ind':
      case 'map-value-ind':
        if (this.#flowDepth === 0) this.#lineDepth += 1;
        break;
      case 'comma':
        if (this.#flowDepth > 0) this.#lineDepth = 0;
        break;
      case 'newline':
        this.#lineDepth = 0;
        break;
      default:
    }
    if (this.#flowDepth > depthMax || this.#lineDepth > depthMax) throw tooDeep('YAML');
  }
}

/** Makes the plain value of one document, whose aliases stand for what was made already. */
class TreeMaker {
  readonly #anchors = new Map<string, { readonly value: unknown; readonly size: number }>();
  #size = 0;
  #aliased = 0;

  /** @throws DocumentDefect for repeated keys, unknown or too many aliases, and nesting too deep */
  make(node: unknown, depth = 0): unknown {
    if (depth > depthMax) throw tooDeep('YAML');
    if (isAlias(node)) return this.#aliasOf(node.source);
    const before = this.#size;
    this.#size += 1;
    const value = isCollection(node) ? this.#container(node, depth) : scalarOf(node);
    const anchor = isScalar(node) || isCollection(node) ? node.anchor : undefined;
    if (anchor !== undefined) this.#anchors.set(anchor, { value, size: this.#size - before });
    return value;
  }

  #container(node: { readonly items: readonly unknown[] }, depth: number): unknown {
    if (!isMap(node)) return node.items.map((item) => this.make(item, depth + 1));
    const members = new Map<string, unknown>();
    for (const { key, value } of node.items) {
      const name = nameOf(this.make(key, depth + 1));
      if (members.has(name)) throw malformed('YAML');
      members.set(name, this.make(value, depth + 1));
    }
    return Object.fromEntries(members);
  }

  #aliasOf(source: string): unknown {
    const anchor = this.#anchors.get(source);
    if (anchor === undefined) throw unusable('YAML', 'aliases');
    this.#size += anchor.size;
    this.#aliased += anchor.size;
    if (this.#aliased > anchorsMax) throw unusable('YAML', 'aliases');
    return anchor.value;
  }
}

function scalarOf(node: unknown): unknown {
  return isScalar(node) ? node.value : null;
}

/** The name that a key has in JSON. */
function nameOf(key: unknown): string {
  if (typeof key === 'object' && key !== null) throw unusable('YAML', 'a key that is no scalar');
  return key === null ? '' : String(key);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones refused.
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/;

function readYaml(text: string, trees: unknown[]): void {
  if (UNPRINTABLE.test(text)) throw malformed('YAML');
  const parser = new Parser();
  const bounds = new TokenBounds();
  function* tokens() {
    for (const token of new Lexer().lex(text)) {
      bounds.check(token);
      yield* parser.next(token);
    }
    yield* parser.end();
  }
  const composer = new Composer({
    intAsBigInt: true,
    version: '1.2',
    schema: 'core',
    logLevel: 'silent',
    // Comparing each key with all others takes quadratic time; names are compared further on.
    uniqueKeys: false,
  });
  for (const document of composer.compose(tokens())) {
    if (document.errors.length > 0) throw malformed('YAML');
    trees.push(new TreeMaker().make(document.contents));
  }
}

function readToml(text: string, trees: unknown[]): void {
  try {
    const tree = parse(text, { integersAsBigInt: true, maxDepth: depthMax });
    checkDepth(tree);
    trees.push(tree);
  } catch (error) {
    if (error instanceof TomlError) throw malformed('TOML');
    throw error;
  }
}

/** Dotted keys nest without brackets. Dates and times are texts here already. */
function checkDepth(value: unknown, depth = 0): void {
  if (depth > depthMax) throw tooDeep('TOML');
  if (typeof value !== 'object' || value === null) return;
  for (const part of Object.values(value)) checkDepth(part, depth + 1);
}

/** The values of a text, and why there are no more of them. */
function read(format: 'YAML' | 'TOML', text: string) {
  const trees: unknown[] = [];
  try {
    // One mark was removed; a second one is data, which no document begins with.
    if (text.startsWith('\ufeff')) throw malformed(format);
    if (format === 'YAML') readYaml(text, trees);
    else readToml(text, trees);
    return { trees, cause: null };
  } catch (error) {
    if (error instanceof DocumentDefect) return { trees, cause: error.message };
    // Nesting by indentation may be deeper than the stack.
    if (error instanceof RangeError)
      return { trees, cause: `unusable ${format}: nesting deeper than ${depthMax}` };
    throw error;
  }
}

function wake(): void {
  Atomics.store(signal, 0, 1);
  Atomics.notify(signal, 0);
}

port.on('message', ({ format, text }: { format: 'YAML' | 'TOML'; text: string }) => {
  port.postMessage(read(format, text));
  wake();
});
wake();
