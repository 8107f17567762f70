import {
  type ConsumeMethodOpts,
  EarlyExitException,
  EmbeddedActionsParser,
  EOF,
  type IOrAlt,
  type IProduction,
  type IToken,
  NonTerminal,
  NoViableAltException,
  type ParserMethod,
  type Rule as RuleNode,
  type TokenType,
} from 'chevrotain';
import { describeToken, expectedMessage } from '../diagnostics.js';
import { ExpressionReader } from '../expression/expression-reader.js';
import { NESTING_MAX, NESTING_MESSAGE } from '../expression/token-cursor.js';
import { refuse } from '../failure.js';
import { LazyLookahead } from '../lookahead.js';
import { nameOf, relayNameOf } from '../names.js';
import { NodeSpans } from '../spans.js';
import {
  Comma,
  END_TOKEN,
  keyword,
  StringToken,
  stringValue,
  TOKEN_TYPES,
  Word,
} from '../tokens.js';

/** A grammar rule and what it yields. */
export type Rule<T, Parameters extends unknown[] = []> = ParserMethod<Parameters, T>;

/** Label of a terminal in messages and completion; build it once per use with {@link label}. */
export type Label = ConsumeMethodOpts & { readonly LABEL: string };

/** A label. */
export function label(text: string): Label {
  return { LABEL: text };
}

/** A label of what is read only to be refused: neither that nor what is behind it is expected. */
export function hidden(text: string): Label {
  return { LABEL: `~${text}` };
}

/** Words that are matched one by one but reported and offered as one. */
export interface Phrase {
  readonly option: Label;
  readonly types: readonly TokenType[];
}

/** A phrase; its label is its text. */
export function phraseOf(text: string): Phrase {
  return { option: label(text), types: text.split(' ').map(keyword) };
}

/** Whether a label is for matching only. */
export function isHidden(text: string): boolean {
  return text.startsWith('~');
}

/**
 * A part that the expression reader reads, as one terminal of the grammar: it has no terminator
 * and ends at the first token it has no use for.
 */
export interface Slot<T> {
  readonly type: TokenType;
  read(reader: ExpressionReader): T;
}

const SILENT_MESSAGES = {
  buildMismatchTokenMessage: () => 'mismatch',
  buildNotAllInputParsedMessage: () => 'rest',
  buildNoViableAltMessage: () => 'no alternative',
  buildEarlyExitMessage: () => 'too few',
};

const NO_SPANS: NodeSpans = new NodeSpans();
const NO_TOKENS: readonly IToken[] = Object.freeze([]);

/** Greatest occurrence number that the parser library keeps apart. */
const OCCURRENCES = 250;

type Body = (...parameters: never[]) => unknown;
type DefineRule = <T, Parameters extends unknown[]>(
  name: string,
  body: (...parameters: Parameters) => T,
  config: object,
) => Rule<T, Parameters>;
type RecordTerminal = (type: TokenType, occurrence: number, option?: Label) => IToken;
type RecordReference = (rule: unknown, occurrence: number) => never;
type RecordRepetition = (index: number, body: () => unknown) => void;

/** What the parser library does when a rule begins; the rule is known by its number. */
type EnterRule = (this: GrammarHost, rule: number, name: string, index: number) => void;
const { ruleInvocationStateUpdate: enterRule } = EmbeddedActionsParser.prototype as unknown as {
  readonly ruleInvocationStateUpdate: EnterRule;
};

/**
 * The parser that the statement families define their rules on. Its methods are the whole
 * vocabulary of a family: `rule`, `take`, `call`, `maybe`, `repeat`, `choose`, `slot`.
 *
 * The body of a rule runs once more with dummy tokens, so that the rule can be recorded; whatever
 * has an effect or may refuse checks {@link isRecording}, as the methods here do. That happens when
 * something first asks what the rule is made of, so that a process that reads three kinds of
 * statement does not record the rules of all others.
 */
export class GrammarHost extends EmbeddedActionsParser {
  /** Index of the token consumed last; kept by the parser library, as what follows is. */
  declare private currIdx: number;
  declare private tokVector: readonly IToken[];
  declare private readonly gastProductionsCache: Record<string, RuleNode>;
  declare private readonly lookAheadFuncsCache: unknown[][];
  declare private readonly recordingProdStack: { readonly definition: IProduction[] }[];
  declare private readonly preComputeLookaheadFunctions: (rules: RuleNode[]) => void;
  declare private readonly topLevelRuleRecord: (name: string, body: Body) => RuleNode;
  declare private readonly consumeInternalRecord: RecordTerminal;
  declare private readonly subruleInternalRecord: RecordReference;
  declare private readonly optionInternalRecord: (body: () => unknown, index: number) => never;
  declare private readonly orInternalRecord: (alternatives: object[], index: number) => never;
  declare private readonly manyInternalRecord: RecordRepetition;
  declare private readonly atLeastOneInternalRecord: RecordRepetition;
  declare private readonly defineRule: DefineRule;
  /** Whether the library checks the grammar, for which it records all rules at once. */
  readonly #isChecked: boolean;
  readonly #bodies = new Map<string, Body>();
  readonly #reader = new ExpressionReader();
  #spans = NO_SPANS;
  #tokens: readonly IToken[] = NO_TOKENS;
  #occurrence = 0;
  /** Levels of types around the next token. */
  #depth = 0;

  constructor(skipValidations: boolean) {
    super([...TOKEN_TYPES], {
      recoveryEnabled: false,
      maxLookahead: 3,
      skipValidations,
      errorMessageProvider: SILENT_MESSAGES,
      lookaheadStrategy: new LazyLookahead({ maxLookahead: 3 }),
    });
    this.#isChecked = !skipValidations;
  }

  /**
   * Called by the parser library where no alternative fits. Its own way first works out everything
   * that would have fitted, a thousand times longer than the reading took, for a message that
   * nobody sees.
   */
  raiseNoAltException(): never {
    const failure = new NoViableAltException('no alternative', this.LA(1), this.LA(0));
    this.errors = [...this.errors, failure];
    throw failure;
  }

  /** As {@link raiseNoAltException}, where something is missing that stands at least once. */
  raiseEarlyExitException(): never {
    const failure = new EarlyExitException('too few', this.LA(1), this.LA(0));
    this.errors = [...this.errors, failure];
    throw failure;
  }

  get isRecording(): boolean {
    return this.RECORDING_PHASE;
  }

  /** Ends definition; rules can be run from here on. */
  finish(): void {
    // Of rules that are not checked the library knows no names: it only gets ready to run them.
    this.performSelfAnalysis();
  }

  /** The recorded grammar by rule name, in the order of definition. */
  recorded(): Record<string, RuleNode> {
    return Object.fromEntries([...this.#bodies.keys()].map((name) => [name, this.recordOf(name)]));
  }

  /** What a rule is made of. */
  recordOf(name: string): RuleNode {
    const known = this.gastProductionsCache[name];
    if (known !== undefined) return known;
    const body = this.#bodies.get(name);
    if (body === undefined) throw new RangeError(`no rule is called '${name}'`);
    this.RECORDING_PHASE = true;
    try {
      const record = this.topLevelRuleRecord(name, body);
      this.gastProductionsCache[name] = record;
      return record;
    } finally {
      this.RECORDING_PHASE = false;
    }
  }

  /** Called by the parser library where a rule begins, which must know the decisions in it. */
  ruleInvocationStateUpdate(rule: number, name: string, index: number): void {
    if (this.lookAheadFuncsCache[rule] === undefined) {
      this.lookAheadFuncsCache[rule] = [];
      this.preComputeLookaheadFunctions([this.recordOf(name)]);
    }
    enterRule.call(this, rule, name, index);
  }

  /**
   * Runs a rule over the tokens of one statement.
   *
   * @throws ParseFailure when a part refuses the tokens with its own message
   * @returns the rule's value, or undefined when the tokens do not match the grammar
   */
  run<T>(rule: Rule<T>, tokens: IToken[], spans: NodeSpans): T | undefined {
    this.input = tokens;
    this.#tokens = tokens;
    this.#spans = spans;
    this.#depth = 0;
    try {
      const value = rule.call(this);
      return this.errors.length === 0 ? value : undefined;
    } finally {
      this.#leave();
    }
  }

  /**
   * Gives up what was read, which would stay in memory until something else is. To set `input` would
   * do as much, and reset all that the library resets before the next run anyway.
   */
  #leave(): void {
    this.tokVector = NO_TOKENS;
    this.errors = [];
    this.#tokens = NO_TOKENS;
    this.#spans = NO_SPANS;
    this.#reader.leave();
  }

  rule<T, Parameters extends unknown[] = []>(
    name: string,
    body: (...parameters: Parameters) => T,
  ): Rule<T, Parameters> {
    // The library keeps a rule in the property of its name.
    if (name in this || this.#bodies.has(name)) {
      throw new RangeError(`'${name}' is taken and cannot be the name of a rule`);
    }
    this.#bodies.set(name, body);
    return this.#isChecked ? this.RULE(name, body) : this.defineRule(name, body, {});
  }

  take(type: TokenType, option?: Label): IToken {
    if (!this.RECORDING_PHASE) return this.consume(0, type);
    return this.consumeInternalRecord(type, this.#nextOccurrence(), option);
  }

  /** Takes a token that stands for a value. */
  takeAs<T>(type: TokenType, value: T, option?: Label): T {
    this.take(type, option);
    return value;
  }

  /** Takes the words of a phrase. */
  phrase({ option, types }: Phrase): void {
    let first: Label | undefined = option;
    for (const type of types) {
      this.take(type, first);
      first = undefined;
    }
  }

  call<T>(rule: Rule<T>): T {
    if (!this.RECORDING_PHASE) return this.subrule(0, rule);
    return this.#recordReference(rule);
  }

  /** As {@link call}, for a rule that continues what `argument` began. */
  callWith<T, A>(rule: Rule<T, [A]>, argument: A): T {
    if (!this.RECORDING_PHASE) return this.subrule(0, rule, { ARGS: [argument] });
    return this.#recordReference(rule);
  }

  /** An optional part; `index` tells the optional parts of one rule apart. */
  maybe<T>(index: number, body: () => T): T | undefined {
    if (!this.RECORDING_PHASE) return this.option(index, body);
    return this.optionInternalRecord(body, index);
  }

  /** Any number of times, none included. */
  repeat(index: number, body: () => void): void {
    if (!this.RECORDING_PHASE) this.many(index, body);
    else this.manyInternalRecord(index, body);
  }

  /** At least once. */
  repeatOnce(index: number, body: () => void): void {
    if (!this.RECORDING_PHASE) this.atLeastOne(index, body);
    else this.atLeastOneInternalRecord(index, body);
  }

  /** What is read any number of times. */
  zeroOrMore<T>(index: number, item: () => T): readonly T[] {
    const items: T[] = [];
    this.repeat(index, () => void items.push(item()));
    return Object.freeze(items);
  }

  /** What is read at least once. */
  oneOrMore<T>(index: number, item: () => T): readonly T[] {
    const items: T[] = [];
    this.repeatOnce(index, () => void items.push(item()));
    return Object.freeze(items);
  }

  choose<T>(index: number, alternatives: IOrAlt<T>[]): T {
    if (!this.RECORDING_PHASE) return this.or(index, alternatives);
    return this.orInternalRecord(alternatives, index);
  }

  /** Items with a comma between each two. */
  commaList<T>(index: number, item: () => T): readonly T[] {
    const items: T[] = [item()];
    this.repeat(index, () => {
      this.take(Comma);
      items.push(item());
    });
    return Object.freeze(items);
  }

  /**
   * As {@link commaList}, of items no two of which are about the same.
   *
   * @param nameOf what an item is about; a refusal calls it a duplicate by these words
   */
  distinctList<T>(index: number, item: () => T, nameOf: (item: T) => string): readonly T[] {
    const names = new Set<string>();
    return this.commaList(index, () => {
      const first = this.position;
      const found = item();
      if (this.RECORDING_PHASE) return found;
      const name = nameOf(found);
      if (names.has(name)) this.refuse(`duplicate ${name}`, first);
      names.add(name);
      return found;
    });
  }

  /** Items with a comma between each two and perhaps one after the last; a closer must follow. */
  closedList<T>(index: number, item: () => T): readonly T[] {
    const items = this.commaList(index, item);
    this.maybe(index, () => this.take(Comma));
    return items;
  }

  /**
   * Items with a comma between each two and perhaps one after the last, where no closer follows.
   *
   * @param continues whether the comma that stands next belongs to the list
   */
  openList<T>(index: number, item: () => T, continues: () => boolean): readonly T[] {
    const items: T[] = [item()];
    const next = (): void => {
      this.take(Comma);
      items.push(item());
    };
    if (!this.RECORDING_PHASE) this.many(index, { GATE: continues, DEF: next });
    else this.manyInternalRecord(index, next);
    this.maybe(index, () => this.take(Comma));
    return Object.freeze(items);
  }

  /**
   * A statement-level name, in its stored form.
   *
   * @param words category of the words that may stand here: all, unless some begin something else
   */
  name(option: Label, words: TokenType = Word): string {
    const token = this.take(words, option);
    if (this.RECORDING_PHASE) return '';
    this.#spans.noteName(option.LABEL, token);
    return nameOf(token, option.LABEL, this.currIdx);
  }

  /** As {@link name}, for a relay. */
  relayName(option: Label): string {
    const token = this.take(Word, option);
    if (this.RECORDING_PHASE) return '';
    this.#spans.noteName(option.LABEL, token);
    return relayNameOf(token, option.LABEL, this.currIdx);
  }

  /** The text of a string literal. */
  text(option: Label): string {
    const token = this.take(StringToken, option);
    return this.RECORDING_PHASE ? '' : stringValue(token);
  }

  /** Lets the expression reader read a part. */
  slot<T>(slot: Slot<T>, option: Label, recorded: T): T {
    if (this.RECORDING_PHASE) {
      this.take(slot.type, option);
      return recorded;
    }
    const reader = this.#reader;
    reader.enter(this.#tokens, this.currIdx + 1, this.#spans);
    const value = slot.read(reader);
    this.currIdx = reader.position - 1;
    return value;
  }

  /** Enters a nesting level that the token taken last opens. */
  descend(): void {
    if (this.RECORDING_PHASE) return;
    this.#depth += 1;
    if (this.#depth > NESTING_MAX) this.refuse(NESTING_MESSAGE);
  }

  /** Leaves a nesting level. */
  ascend(): void {
    if (!this.RECORDING_PHASE) this.#depth -= 1;
  }

  /** Whether the next token, or one further ahead, has the type. */
  isAt(type: TokenType, ahead = 1): boolean {
    return !this.RECORDING_PHASE && this.LA(ahead).tokenTypeIdx === type.tokenTypeIdx;
  }

  /** Index of the next token. */
  get position(): number {
    return this.currIdx + 1;
  }

  /** Freezes a node and notes its span, from the token at `first` to the one taken last. */
  close<T extends object>(node: T, first: number): T {
    if (this.RECORDING_PHASE) return node;
    const start = (this.#tokens[first] ?? END_TOKEN).startOffset;
    const end = (this.#tokens[this.currIdx]?.endOffset ?? start - 1) + 1;
    this.#spans.note(node, start, end);
    return Object.freeze(node);
  }

  /**
   * Refuses the next token unless it has the type: the grammar takes others as well there, and what
   * stands before decides. Where the text ends, what follows is left to be asked for.
   */
  expectNext(type: TokenType, expected: string): void {
    if (this.RECORDING_PHASE) return;
    const next = this.LA(1);
    if (next.tokenTypeIdx === type.tokenTypeIdx || next.tokenTypeIdx === EOF.tokenTypeIdx) return;
    refuse(expectedMessage([expected], describeToken(next)), this.position);
  }

  /** Refuses the tokens from `first` to the one taken last. */
  refuse(message: string, first: number = this.currIdx): void {
    if (!this.RECORDING_PHASE) refuse(message, first, this.currIdx);
  }

  /** Records that a rule stands here; what it is made of is asked for later, if at all. */
  #recordReference<T, Parameters extends unknown[]>(rule: Rule<T, Parameters>): T {
    const value: T = this.subruleInternalRecord(rule, this.#nextOccurrence());
    const reference = this.recordingProdStack.at(-1)?.definition.at(-1);
    if (!this.#isChecked && reference instanceof NonTerminal) {
      const get = (): RuleNode => this.recordOf(reference.nonTerminalName);
      Object.defineProperty(reference, 'referencedRule', { get });
    }
    return value;
  }

  #nextOccurrence(): number {
    this.#occurrence = (this.#occurrence + 1) % OCCURRENCES;
    return this.#occurrence;
  }
}
