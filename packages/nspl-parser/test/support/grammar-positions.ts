import {
  Alternation,
  Alternative,
  type IProduction,
  type IToken,
  NonTerminal,
  Option,
  Repetition,
  RepetitionMandatory,
  type Rule,
  Terminal,
} from 'chevrotain';
import { ExpressionReader } from '../../src/expression/expression-reader.ts';
import { slotOf } from '../../src/grammar/expression.ts';
import { isHidden } from '../../src/grammar/grammar-host.ts';
import { NodeSpans } from '../../src/spans.ts';

/** In front of one production of a rule, with what goes on behind the rule's productions. */
interface Position {
  readonly key: string;
  readonly rule: string;
  readonly sequence: readonly IProduction[];
  readonly index: number;
  readonly behind: Position | undefined;
}

/** A terminal that may stand at some place of a text. */
export interface Expected {
  readonly terminal: Terminal;
  readonly label: string;
  /** Whether the expression reader reads it, from one token or several. */
  readonly isPart: boolean;
  /** The rule that it is written in. */
  readonly owner: string;
  /** Rules that begin here, the outermost first. */
  readonly begun: readonly string[];
  readonly next: Position;
}

/** What may stand behind a text. */
export interface Frontier {
  readonly terminals: readonly Expected[];
  /** Whether a statement may end there. */
  readonly isEnd: boolean;
}

/** Whether a terminal takes a token. */
export function takes({ terminalType: type }: Terminal, token: IToken): boolean {
  return (
    token.tokenTypeIdx === type.tokenTypeIdx ||
    type.categoryMatchesMap?.[token.tokenTypeIdx] === true
  );
}

/** Labels as messages list them: in grammar order, each once, the end last. */
export function labelsOf({ terminals, isEnd }: Frontier): readonly string[] {
  const labels = terminals.map(({ label }) => label).filter((label) => !isHidden(label));
  return [...new Set(isEnd ? [...labels, ';'] : labels)];
}

/** Reads recorded rules as written, one token after the other, to say what may stand next. */
export class RecordedGrammar {
  readonly #start: Position;
  readonly #ids = new Map<readonly IProduction[], number>();
  readonly #frontiers = new Map<string, Frontier>();
  /** What repeats a part of which one must have been read already, by that part. */
  readonly #more = new Map<IProduction, readonly IProduction[]>();

  constructor(rule: Rule) {
    const whole = new NonTerminal({ nonTerminalName: rule.name, referencedRule: rule });
    this.#start = this.#position('', [whole], 0, undefined);
  }

  /**
   * What may stand behind tokens; nothing when they begin no statement. What is read only to be
   * refused is among it but leads nowhere.
   */
  after(tokens: readonly IToken[]): Frontier {
    const places: Map<string, Position>[] = [...tokens, undefined].map(() => new Map());
    places[0]?.set(this.#start.key, this.#start);
    for (const [at, token] of tokens.entries()) {
      for (const position of places[at]?.values() ?? []) {
        for (const { terminal, label, next } of this.#frontier(position).terminals) {
          if (isHidden(label)) continue;
          const end = endOf(terminal, tokens, at, token);
          if (end !== undefined) places[end]?.set(next.key, next);
        }
      }
    }
    const frontiers = [...(places.at(-1)?.values() ?? [])].map((each) => this.#frontier(each));
    return {
      terminals: frontiers.flatMap(({ terminals }) => terminals),
      isEnd: frontiers.some(({ isEnd }) => isEnd),
    };
  }

  /** What may stand behind a terminal. */
  behind({ next }: Expected): Frontier {
    return this.#frontier(next);
  }

  #position(
    rule: string,
    sequence: readonly IProduction[],
    index: number,
    behind: Position | undefined,
  ): Position {
    const id = this.#ids.get(sequence) ?? this.#ids.size;
    this.#ids.set(sequence, id);
    const key = `${id}.${index} ${behind?.key ?? ''}`;
    return { key, rule, sequence, index, behind };
  }

  #frontier(position: Position): Frontier {
    const known = this.#frontiers.get(position.key);
    if (known !== undefined) return known;
    const terminals: Expected[] = [];
    const seen = new Set<string>();
    let isEnd = false;
    const visit = (at: Position | undefined, begun: readonly string[]): void => {
      if (at === undefined) {
        isEnd = true;
        return;
      }
      if (seen.has(at.key)) return;
      seen.add(at.key);
      const { rule, sequence, index, behind } = at;
      const part = sequence[index];
      if (part === undefined) {
        visit(behind, begun);
        return;
      }
      const next = this.#position(rule, sequence, index + 1, behind);
      const enter = (body: readonly IProduction[], then: Position): void =>
        visit(this.#position(rule, body, 0, then), begun);
      if (part instanceof Terminal) {
        const label = part.label ?? part.terminalType.LABEL ?? part.terminalType.name;
        const isPart = slotOf(part.terminalType) !== undefined;
        terminals.push({ terminal: part, label, isPart, owner: rule, begun, next });
      } else if (part instanceof NonTerminal) {
        const { name, definition } = part.referencedRule;
        visit(this.#position(name, definition, 0, next), [...begun, name]);
      } else if (part instanceof Alternation) {
        for (const each of part.definition) {
          if (each instanceof Alternative) enter(each.definition, next);
        }
      } else if (part instanceof RepetitionMandatory) {
        enter(part.definition, this.#position(rule, this.#moreOf(part), 0, next));
      } else if (part instanceof Repetition) {
        enter(part.definition, at);
        visit(next, begun);
      } else if (part instanceof Option) {
        enter(part.definition, next);
        visit(next, begun);
      } else throw new TypeError(`no reading of a ${part.constructor.name}`);
    };
    visit(position, []);
    const frontier = { terminals, isEnd };
    this.#frontiers.set(position.key, frontier);
    return frontier;
  }

  #moreOf(part: RepetitionMandatory): readonly IProduction[] {
    const more = this.#more.get(part) ?? [new Repetition({ definition: part.definition })];
    this.#more.set(part, more);
    return more;
  }
}

/** Index behind what a terminal takes from `at` on; undefined when it takes nothing. */
function endOf(
  terminal: Terminal,
  tokens: readonly IToken[],
  at: number,
  token: IToken,
): number | undefined {
  const slot = slotOf(terminal.terminalType);
  if (slot === undefined) return takes(terminal, token) ? at + 1 : undefined;
  const reader = new ExpressionReader();
  reader.enter(tokens, at, new NodeSpans());
  try {
    slot.read(reader);
    return reader.position;
  } catch {
    return undefined;
  }
}
