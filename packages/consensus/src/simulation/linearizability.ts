/**
 * One operation on one register as its client saw it. `returned` is `undefined` when the client
 * never learned the outcome: then the operation may take effect at any time after its call, or
 * never.
 */
export interface RegisterOperation {
  readonly key: number;
  readonly kind: 'read' | 'put' | 'compareAndSet' | 'increment';
  /** Value written by `put` and `compareAndSet`. */
  readonly value: number;
  /** Value that `compareAndSet` expects. */
  readonly expected: number;
  /** Order of the call among all calls and returns of the history. */
  readonly called: number;
  readonly returned: number | undefined;
  /** What was answered: the value read or made; 1 or 0 for `compareAndSet`. */
  readonly answer: number | undefined;
  /**
   * Where a log has the operation, or how much of the log a read has seen, if that is known. It is
   * tried first as an order; an order that explains everything is a proof.
   */
  readonly place?: number | undefined;
}

/** What a check found. A check that ran out of its budget has proved nothing. */
export type LinearizabilityVerdict =
  | { readonly kind: 'linearizable' }
  | { readonly kind: 'violated'; readonly key: number }
  | { readonly kind: 'exceeded'; readonly key: number };

/** How many steps one register may take by default. */
export const LINEARIZABILITY_STEPS = 200_000;

/**
 * Whether the history is linearizable for registers that begin with 0. Each register is checked
 * alone, which is enough because linearizability is local (Herlihy and Wing, 1990).
 */
export function checkLinearizability(
  operations: readonly RegisterOperation[],
  stepsMax: number = LINEARIZABILITY_STEPS,
): LinearizabilityVerdict {
  const byKey = new Map<number, RegisterOperation[]>();
  for (const operation of operations) {
    const list = byKey.get(operation.key);
    if (list === undefined) byKey.set(operation.key, [operation]);
    else list.push(operation);
  }
  for (const [key, list] of byKey) {
    if (isExplainedByPlaces(list)) continue;
    const kind = new RegisterSearch(list).run(stepsMax);
    if (kind !== 'linearizable') return { kind, key };
  }
  return { kind: 'linearizable' };
}

/** The state after the operation, or `undefined` when its answer cannot be true in `state`. */
function effect(state: number, operation: RegisterOperation): number | undefined {
  const { kind, value, expected, answer } = operation;
  switch (kind) {
    case 'read':
      return answer === undefined || answer === state ? state : undefined;
    case 'put':
      return value;
    case 'compareAndSet': {
      const isEqual = state === expected;
      if (answer !== undefined && (answer === 1) !== isEqual) return undefined;
      return isEqual ? value : state;
    }
    case 'increment':
      return answer === undefined || answer === state + 1 ? state + 1 : undefined;
  }
}

/** Whether the order of the places respects time and explains every answer. */
function isExplainedByPlaces(operations: readonly RegisterOperation[]): boolean {
  if (operations.some(({ place }) => place === undefined)) return false;
  const ordered = [...operations].sort((left, right) => {
    const distance = (left.place ?? 0) - (right.place ?? 0);
    if (distance !== 0) return distance;
    if ((left.kind === 'read') !== (right.kind === 'read')) return left.kind === 'read' ? 1 : -1;
    return left.called - right.called;
  });
  let state = 0;
  let newestCall = 0;
  for (const operation of ordered) {
    if (operation.returned !== undefined && operation.returned < newestCall) return false;
    newestCall = Math.max(newestCall, operation.called);
    const next = effect(state, operation);
    if (next === undefined) return false;
    state = next;
  }
  return true;
}

interface Visited {
  readonly bits: Uint32Array;
  readonly state: number;
}

interface Choice {
  readonly call: number;
  readonly state: number;
  /** Nothing else needs to be tried in its place. */
  readonly isForced: boolean;
}

/**
 * The search of Wing and Gong (1993) with the memory of Lowe (2017): calls and returns are a list;
 * an operation whose call stands before every return may come next. Nodes of the list are numbers:
 * 0 is its head, 2i + 1 the call of operation i, 2i + 2 its return.
 */
class RegisterSearch {
  readonly #operations: readonly RegisterOperation[];
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  readonly #bits: Uint32Array;
  readonly #visited = new Map<number, Visited[]>();
  readonly #choices: Choice[] = [];
  #hash = 0;
  #state = 0;
  #awaited = 0;

  constructor(operations: readonly RegisterOperation[]) {
    this.#operations = operations;
    this.#next = new Int32Array(operations.length * 2 + 1).fill(-1);
    this.#previous = new Int32Array(operations.length * 2 + 1).fill(-1);
    this.#bits = new Uint32Array((operations.length + 31) >> 5);
    this.#link();
  }

  run(stepsMax: number): LinearizabilityVerdict['kind'] {
    let node = this.#next[0] ?? -1;
    for (let steps = 0; this.#awaited > 0; steps += 1) {
      if (steps >= stepsMax) return 'exceeded';
      const isCall = node > 0 && (node & 1) === 1;
      const attempt = isCall ? this.#choose(node) : 'dead';
      if (attempt === 'chosen') node = this.#next[0] ?? -1;
      else if (attempt === 'impossible') node = this.#next[node] ?? -1;
      else {
        const choice = this.#undoLast();
        if (choice === undefined) return 'violated';
        node = this.#next[choice.call] ?? -1;
      }
    }
    return 'linearizable';
  }

  /** Takes the newest choice back that has alternatives, and all behind it. */
  #undoLast(): Choice | undefined {
    for (;;) {
      const choice = this.#choices.pop();
      if (choice === undefined) return undefined;
      this.#undo(choice);
      if (!choice.isForced) return choice;
    }
  }

  #link(): void {
    const marks: { readonly time: number; readonly node: number }[] = [];
    this.#operations.forEach(({ called, returned }, i) => {
      marks.push({ time: called, node: 2 * i + 1 });
      if (returned === undefined) return;
      this.#awaited += 1;
      marks.push({ time: returned, node: 2 * i + 2 });
    });
    marks.sort((left, right) => left.time - right.time);
    let last = 0;
    for (const { node } of marks) {
      this.#next[last] = node;
      this.#previous[node] = last;
      last = node;
    }
  }

  /**
   * Lets the operation come next if its answer allows it and that has not been tried before. One
   * that is answered and changes nothing may as well come now as later: nothing else is tried. A
   * put is different: later it may change what others have made of the register by then.
   */
  #choose(call: number): 'chosen' | 'impossible' | 'dead' {
    const at = (call - 1) >> 1;
    const operation = this.#operations[at];
    if (operation === undefined) return 'impossible';
    const state = effect(this.#state, operation);
    if (state === undefined) return 'impossible';
    const isIdle = state === this.#state && operation.kind !== 'put';
    const isForced = isIdle && operation.returned !== undefined;
    this.#flip(at);
    if (!this.#visit(state)) {
      this.#flip(at);
      return isForced ? 'dead' : 'impossible';
    }
    this.#choices.push({ call, state: this.#state, isForced });
    this.#state = state;
    this.#unlink(call);
    if (operation.returned !== undefined) {
      this.#unlink(call + 1);
      this.#awaited -= 1;
    }
    return 'chosen';
  }

  #undo({ call, state }: Choice): void {
    const at = (call - 1) >> 1;
    if (this.#operations[at]?.returned !== undefined) {
      this.#relink(call + 1);
      this.#awaited += 1;
    }
    this.#relink(call);
    this.#flip(at);
    this.#state = state;
  }

  #flip(at: number): void {
    const word = at >> 5;
    this.#bits[word] = (this.#bits[word] ?? 0) ^ (1 << (at & 31));
    this.#hash ^= scramble(at + 1);
  }

  /** Whether this set of operations with this state is new. */
  #visit(state: number): boolean {
    const hash = this.#hash ^ scramble(state ^ 0x5bd1e995);
    const known = this.#visited.get(hash);
    const bits = this.#bits;
    if (known === undefined) {
      this.#visited.set(hash, [{ bits: bits.slice(), state }]);
      return true;
    }
    for (const visited of known) {
      if (visited.state === state && visited.bits.every((word, i) => word === bits[i])) {
        return false;
      }
    }
    known.push({ bits: bits.slice(), state });
    return true;
  }

  #unlink(node: number): void {
    const previous = this.#previous[node] ?? 0;
    const next = this.#next[node] ?? -1;
    this.#next[previous] = next;
    if (next >= 0) this.#previous[next] = previous;
  }

  #relink(node: number): void {
    const previous = this.#previous[node] ?? 0;
    const next = this.#next[node] ?? -1;
    this.#next[previous] = node;
    if (next >= 0) this.#previous[next] = node;
  }
}

function scramble(value: number): number {
  let word = Math.imul(value ^ (value >>> 16), 0x45d9f3b);
  word = Math.imul(word ^ (word >>> 16), 0x45d9f3b);
  return word ^ (word >>> 16);
}
