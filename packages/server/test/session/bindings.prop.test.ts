import type { CommandOutcome } from '@nervix/protocol/session';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ControlNode, until } from '../support/control-node.ts';
import { type NodeSession, openNode } from '../support/node-session.ts';

const RUNS = Number(process.env['PROP_RUNS'] ?? 12);
const SESSIONS = 3;

/** What ought to be so of a transaction. */
interface ModelTransaction {
  readonly id: string;
  state: 'OPEN' | 'COMMITTED' | 'REVERTED';
  accepted: number;
  /** The session that has it, or null. */
  holder: number | null;
}

type Step =
  | {
      readonly op: 'begin' | 'append' | 'commit' | 'revert' | 'close' | 'lose';
      readonly who: number;
    }
  | { readonly op: 'attach'; readonly who: number; readonly which: number };

const who = fc.nat({ max: SESSIONS - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ op: fc.constantFrom('append' as const, 'begin' as const), who }),
  },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('attach' as const), who, which: fc.nat() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constantFrom('commit' as const, 'revert' as const, 'close' as const, 'lose' as const),
      who,
    }),
  },
);

/** Sessions of one user and their transactions, beside what ought to be so of them. */
class Run {
  readonly #node: ControlNode;
  readonly #open: () => Promise<NodeSession>;
  readonly #sessions: NodeSession[] = [];
  readonly #claims: (string | null)[] = [];
  readonly #transactions: ModelTransaction[] = [];
  #names = 0;

  constructor(node: ControlNode, open: () => Promise<NodeSession>) {
    this.#node = node;
    this.#open = open;
  }

  async start(): Promise<void> {
    for (let index = 0; index < SESSIONS; index += 1) {
      this.#sessions.push(await this.#open());
      this.#claims.push(null);
    }
  }

  async take(step: Step): Promise<void> {
    switch (step.op) {
      case 'begin':
        return this.#begin(step.who);
      case 'attach':
        return this.#attach(step.who, step.which);
      case 'close':
      case 'lose':
        return this.#leave(step.who, step.op === 'close');
      default:
        return this.#work(step.who, step.op);
    }
  }

  /** The state of every transaction, as the node has it and as it ought to be. */
  check(): void {
    for (const { id, state, accepted } of this.#transactions) {
      expect(this.#node.state.transaction(id)).toMatchObject({ state, accepted });
    }
  }

  #session(who: number): NodeSession {
    const session = this.#sessions[who];
    if (session === undefined) throw new Error(`there is no session ${who}`);
    return session;
  }

  #claimed(who: number): ModelTransaction | undefined {
    return this.#transactions.find(({ id }) => id === this.#claims[who]);
  }

  async #begin(who: number): Promise<void> {
    const claimed = this.#claimed(who);
    const outcome = await this.#session(who).run('BEGIN;');
    if (claimed !== undefined) {
      expect(outcome.message).toBe('transaction is already active');
      this.#forgetFinished(who, claimed);
      return;
    }
    const id = outcome.transaction?.id ?? '';
    expect(outcome.message).toBe(`transaction started: id '${id}'`);
    this.#transactions.push({ id, state: 'OPEN', accepted: 0, holder: who });
    this.#claims[who] = id;
  }

  async #attach(who: number, which: number): Promise<void> {
    const target = this.#transactions[which % Math.max(1, this.#transactions.length)];
    if (target === undefined) return;
    const reply = await this.#session(who).attach(target.id);
    if (target.state !== 'OPEN') {
      expect(reply).toMatchObject({ disposition: { t: 'TransactionAlreadyFinished' } });
      return;
    }
    expect(reply).toMatchObject({ disposition: { t: 'TransactionAttached' } });
    const before = this.#claimed(who);
    if (before !== undefined && before.holder === who) before.holder = null;
    target.holder = who;
    this.#claims[who] = target.id;
  }

  async #work(who: number, op: 'append' | 'commit' | 'revert'): Promise<void> {
    const claimed = this.#claimed(who);
    const query =
      op === 'append' ? `CREATE SCHEMA s${this.#names++} (a I64);` : `${op.toUpperCase()};`;
    let outcome = await this.#session(who).run(query);
    if (claimed === undefined) {
      if (op === 'append') expect(outcome.disposition.t).toBe('CommandCompleted');
      else expect(outcome.message).toBe(`${op.toUpperCase()} requires an active transaction`);
      return;
    }
    if (claimed.holder !== who) {
      const t = claimed.holder === null ? 'TransactionDetached' : 'TransactionTakenOver';
      expect(outcome.disposition).toEqual({ t, transaction_id: claimed.id });
      this.#forgetFinished(who, claimed);
      return;
    }
    // Another transaction may have changed what this one was planned from.
    if (outcome.disposition.t === 'PreviewStale') outcome = await this.#session(who).run(query);
    expect(outcome.disposition.t).toBe('CommandCompleted');
    this.#worked(who, op, claimed, outcome);
  }

  #worked(
    who: number,
    op: 'append' | 'commit' | 'revert',
    claimed: ModelTransaction,
    { transaction }: CommandOutcome,
  ): void {
    if (op === 'append') claimed.accepted += 1;
    else claimed.state = op === 'commit' ? 'COMMITTED' : 'REVERTED';
    expect(transaction).toMatchObject({
      id: claimed.id,
      accepted_operations: BigInt(claimed.accepted),
    });
    this.#forgetFinished(who, claimed);
  }

  /** A session has no transaction any more once it was told that it is over. */
  #forgetFinished(who: number, { state }: ModelTransaction): void {
    if (state !== 'OPEN') this.#claims[who] = null;
  }

  async #leave(who: number, isClean: boolean): Promise<void> {
    const { client } = this.#session(who);
    const claimed = this.#claimed(who);
    if (isClean) await client.close();
    else client.socket.terminate();
    await client.closed;
    if (claimed?.holder === who) {
      if (isClean && claimed.state === 'OPEN') claimed.state = 'REVERTED';
      claimed.holder = null;
      const { id, state } = claimed;
      await until(
        () =>
          !this.#node.context.bindings.isBound(id) &&
          this.#node.state.transaction(id)?.state === state,
      );
    }
    this.#sessions[who] = await this.#open();
    this.#claims[who] = null;
  }
}

test('CP-45, CP-46, CP-47: whatever sessions do, each transaction has one holder and one end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const { node, session } = await openNode();
      const run = new Run(node, session);
      await run.start();
      for (const each of steps) {
        await run.take(each);
        run.check();
      }
    }),
    { numRuns: RUNS },
  );
});
