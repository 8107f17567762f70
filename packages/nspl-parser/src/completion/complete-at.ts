import { canonicalName } from '@nervix/model';
import type { IToken, TokenType } from 'chevrotain';
import { type Expectations, expectationsOf } from '../expectations.js';
import { ParseFailure } from '../failure.js';
import { isHidden } from '../grammar/grammar-host.js';
import { Lexer } from '../lexer.js';
import { STATEMENT_RULE, statementParser } from '../parser.js';
import { stringLiteral } from '../printer/lexical.js';
import { NodeSpans } from '../spans.js';
import { Semicolon, StringToken } from '../tokens.js';
import type { Catalog } from './catalog.js';
import type { Completion, CompletionItem, LocalPath } from './completion.js';
import { ExpressionOffers } from './expression-offers.js';
import { type StatementCursor, statementCursor } from './statement-cursor.js';
import { StatementTrace } from './statement-trace.js';

const LOCAL_PATH = 'local_path';
/** The slot of a node where its name may be one that is not known yet. */
const NODE_ID = 'node_id';
const WORD = /^[A-Za-z_][A-Za-z0-9_]*$/u;
/** A name of a node: words and numbers with `-` or `.` between each two. */
const NODE_NAME = /^(?:[A-Za-z_]\w*|\d+)(?:[-.](?:[A-Za-z_]\w*|\d+))*$/u;

/**
 * What may stand at a place of a script. Only the statement that holds the place counts, and of it
 * what stands before the word there. Nothing is offered in comments, behind an error, and behind a
 * whole statement without a space. Items whose label begins as the word does remain.
 *
 * @param offset the cursor, in UTF-8 bytes; one inside a character counts as in front of it
 * @param catalog what exists; without one only the words of the language are offered
 */
export function completeAt(text: string, offset: number, catalog: Catalog = {}): Completion {
  const cursor = statementCursor(text, offset);
  const { replace } = cursor;
  const nothing: Completion = { items: [], placeholders: [], replace };
  if (cursor.place === 'closed' || isRefused(cursor.tokens)) return nothing;
  const expectations = expectationsAt(cursor.tokens);
  if (expectations.isComplete && !cursor.isApart) return nothing;
  const candidates = new Candidates(cursor, catalog);
  candidates.collect(expectations);
  const localPath = candidates.localPath();
  if (cursor.place === 'string')
    return localPath === undefined ? nothing : { ...nothing, localPath };
  const found = { items: candidates.items(), placeholders: candidates.placeholders(), replace };
  return localPath === undefined ? found : { ...found, localPath };
}

function expectationsAt(tokens: readonly IToken[]): Expectations {
  return expectationsOf(statementParser().host.recordOf(STATEMENT_RULE), tokens);
}

/** Tokens that the parser may read to try candidates; beyond, what it would refuse is offered. */
const TRIAL_TOKENS_MAX = 10_000;

/** Whether the parser refuses tokens with a message of its own, so that nothing can follow them. */
function isRefused(tokens: readonly IToken[]): boolean {
  if (tokens.length > TRIAL_TOKENS_MAX) return false;
  const { host, statement } = statementParser();
  try {
    host.run(statement, [...tokens], new NodeSpans());
    return false;
  } catch (error) {
    if (!(error instanceof ParseFailure)) throw error;
    return error.expected.length === 0;
  }
}

/** Gathers what every reading of a statement takes next. */
class Candidates {
  readonly #cursor: StatementCursor;
  readonly #catalog: Catalog;
  readonly #expressions: ExpressionOffers;
  readonly #items = new Map<string, CompletionItem>();
  readonly #placeholders = new Set<string>();

  constructor(cursor: StatementCursor, catalog: Catalog) {
    this.#cursor = cursor;
    this.#catalog = catalog;
    this.#expressions = new ExpressionOffers(cursor.tokens, catalog);
  }

  collect({ readings, isComplete, openPart }: Expectations): void {
    for (const { state, taken } of readings) {
      const trace = new StatementTrace(this.#cursor.tokens, taken);
      for (const { label, type } of state.steps) this.#take(label, type, trace);
    }
    if (isComplete) this.#add(literal(Semicolon.LABEL ?? ';'));
    if (openPart !== undefined) this.#addAll(this.#expressions.inside(openPart));
  }

  /** Sorted by label. */
  items(): readonly CompletionItem[] {
    const items = [...this.#items.values()];
    const isBudgeted = items.length * this.#cursor.tokens.length <= TRIAL_TOKENS_MAX;
    return (isBudgeted ? items.filter((item) => this.#isAccepted(item)) : items).sort(byLabel);
  }

  placeholders(): readonly string[] {
    return [...this.#placeholders].sort();
  }

  localPath(): LocalPath | undefined {
    if (!this.#placeholders.has(LOCAL_PATH)) return undefined;
    const { openString, replace, word } = this.#cursor;
    if (openString === undefined) return { kind: LOCAL_PATH, replace, quote: null, typed: word };
    const { quote, typed, content } = openString;
    return { kind: LOCAL_PATH, replace: content, quote, typed };
  }

  #take(label: string, type: TokenType, trace: StatementTrace): void {
    if (isHidden(label)) return;
    if (!/^[a-z]/u.test(label)) {
      this.#add(literal(label));
      return;
    }
    if (label.startsWith('ref:')) {
      this.#addAll(this.#references(label, type, trace));
      return;
    }
    this.#placeholders.add(label);
    this.#addAll(this.#expressions.atStart(label, trace));
    if (label === NODE_ID) this.#addAll(this.#names('node', label, type));
    if (label.endsWith('resource_version')) this.#addAll(this.#versions(label, trace));
  }

  #references(label: string, type: TokenType, trace: StatementTrace): readonly CompletionItem[] {
    if (label === 'ref:schema_field') return this.#schemaFields(label, trace);
    return this.#names(label.slice('ref:'.length), label, type);
  }

  /** What exists of a kind, as far as the slot can spell it. */
  #names(kind: string, detail: string, type: TokenType): readonly CompletionItem[] {
    const isText = type === StringToken;
    const spelling = kind === 'node' ? NODE_NAME : WORD;
    return (this.#catalog.names?.(kind) ?? [])
      .filter((name) => isText || spelling.test(name))
      .map((name) => ({
        label: name,
        kind: 'reference',
        insertText: isText ? stringLiteral(name) : name,
        detail,
      }));
  }

  /** Fields of the schema that the statement alters. */
  #schemaFields(detail: string, trace: StatementTrace): readonly CompletionItem[] {
    const schema = trace.nearest(({ label }) => /^ref:(?:wire_[a-z]+_)?schema$/u.test(label));
    if (schema === undefined) return [];
    const kind = schema.label.slice('ref:'.length);
    return (this.#catalog.fields?.(kind, canonicalName(schema.text)) ?? [])
      .filter((name) => WORD.test(name))
      .map((name) => ({ label: name, kind: 'field', insertText: name, detail }));
  }

  #versions(detail: string, trace: StatementTrace): readonly CompletionItem[] {
    const resource = trace.nearest(({ label }) => label === 'ref:resource');
    if (resource === undefined) return [];
    return (this.#catalog.completedVersions?.(canonicalName(resource.text)) ?? []).map(
      (version) => ({ label: version, kind: 'version', insertText: version, detail }),
    );
  }

  #addAll(items: readonly CompletionItem[]): void {
    for (const item of items) this.#add(item);
  }

  #add(item: CompletionItem): void {
    if (!item.label.toLowerCase().startsWith(this.#cursor.word.toLowerCase())) return;
    const key = `${item.kind} ${item.label}`;
    if (!this.#items.has(key)) this.#items.set(key, item);
  }

  /** Whether the parser could go on behind an item; only words of the language are tried. */
  #isAccepted({ kind, insertText }: CompletionItem): boolean {
    if (kind !== 'keyword' && kind !== 'phrase') return true;
    const words = new Lexer(insertText).next()?.tokens ?? [];
    return !isRefused([...this.#cursor.tokens, ...words]);
  }
}

function literal(label: string): CompletionItem {
  const kind = label.includes(' ') ? 'phrase' : WORD.test(label) ? 'keyword' : 'punctuation';
  return { label, kind, insertText: label };
}

function byLabel(one: CompletionItem, other: CompletionItem): number {
  if (one.label === other.label) return 0;
  return one.label < other.label ? -1 : 1;
}
