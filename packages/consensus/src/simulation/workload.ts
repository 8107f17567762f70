import { isOutcomeUnknown } from '../errors.ts';
import { encodeCommand, wordAt } from './command.ts';
import type { RegisterOperation } from './linearizability.ts';
import type { RandomSource } from './random-source.ts';
import type { SimulatedCluster } from './simulated-cluster.ts';
import type { SimulatedProcess } from './simulated-process.ts';

/** An operation while it is under way. */
interface PendingOperation {
  readonly client: number;
  readonly id: number;
  readonly key: number;
  readonly kind: RegisterOperation['kind'];
  readonly value: number;
  readonly expected: number;
  readonly called: number;
  isSettled: boolean;
}

type Outcome =
  | { readonly kind: 'answered'; readonly answer: number; readonly place: number }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unknown' };

/** Clients that each do one operation after another, and the history of what they saw. */
export class Workload {
  readonly #cluster: SimulatedCluster;
  readonly #random: RandomSource;
  readonly #history: RegisterOperation[] = [];
  /** Commands whose outcome nobody has learned, yet or for ever. */
  readonly #unanswered = new Set<PendingOperation>();
  readonly #answeredBy = new Map<number, SimulatedProcess>();
  #operations = 0;
  #order = 0;
  #isStopped = false;
  /** Commands and reads that were answered. */
  answered = 0;

  constructor(cluster: SimulatedCluster, random: RandomSource) {
    this.#cluster = cluster;
    this.#random = random;
  }

  start(): void {
    for (let client = 0; client < this.#cluster.plan.clients; client += 1) this.#rest(client);
  }

  stop(): void {
    this.#isStopped = true;
  }

  /**
   * The history for a check. A command of unknown outcome that no member ever applied, now that all
   * logs have come together, never will be.
   */
  history(): readonly RegisterOperation[] {
    const history = [...this.#history];
    for (const operation of this.#unanswered) {
      const place = this.#cluster.watch.indexOf(operation.id);
      if (place === undefined) continue;
      history.push({ ...operation, place, returned: undefined, answer: undefined });
    }
    return history;
  }

  /** One increment at the given process; `settled` learns whether it was answered. */
  probe(process: SimulatedProcess, settled: (isAnswered: boolean) => void): void {
    const { client, key } = { client: 1_000, key: 0 };
    const operation = this.#begin({ client, key, kind: 'increment', value: 0, expected: 0 });
    this.#command(process, operation, (outcome) => settled(outcome.kind === 'answered'));
  }

  #rest(client: number): void {
    if (this.#isStopped) return;
    const delay = this.#random.between(1, this.#cluster.plan.thinkMax);
    this.#cluster.later(delay, () => this.#act(client));
  }

  #act(client: number): void {
    if (this.#isStopped) return;
    const process = this.#choose(client);
    if (process === undefined) {
      this.#rest(client);
      return;
    }
    const { plan } = this.#cluster;
    const key = this.#random.below(plan.keys);
    const isRead = this.#random.chance(plan.readShare);
    const kind = isRead ? 'read' : this.#drawKind();
    const value = kind === 'put' || kind === 'compareAndSet' ? 1_000 + this.#operations * 16 : 0;
    const expected = kind === 'compareAndSet' ? process.machine.read(key) : 0;
    const operation = this.#begin({ client, key, kind, value, expected });
    const done = (outcome: Outcome) => {
      if (outcome.kind === 'answered') this.#answeredBy.set(client, process);
      else this.#answeredBy.delete(client);
      this.#rest(client);
    };
    this.#cluster.later(plan.clientPatience, () =>
      this.#settle(operation, { kind: 'unknown' }, done),
    );
    if (isRead) this.#read(process, operation, done);
    else this.#command(process, operation, done);
  }

  #drawKind(): RegisterOperation['kind'] {
    return this.#random.pick(['put', 'compareAndSet', 'increment'] as const) ?? 'put';
  }

  /** Clients stay with whoever has answered them, or ask the leader, or anybody. */
  #choose(client: number): SimulatedProcess | undefined {
    const former = this.#answeredBy.get(client);
    if (former?.isDead === false && this.#random.chance(0.5)) return former;
    if (this.#random.chance(0.6)) {
      const leader = this.#cluster.leader();
      if (leader !== undefined) return leader;
    }
    return this.#random.pick(this.#cluster.nodes)?.process;
  }

  #begin(
    parts: Pick<PendingOperation, 'client' | 'key' | 'kind' | 'value' | 'expected'>,
  ): PendingOperation {
    this.#operations += 1;
    this.#order += 1;
    const id = this.#operations;
    const operation = { ...parts, id, called: this.#order, isSettled: false };
    if (parts.kind !== 'read') this.#unanswered.add(operation);
    return operation;
  }

  #command(
    process: SimulatedProcess,
    operation: PendingOperation,
    done: (outcome: Outcome) => void,
  ): void {
    const { key, value, expected, id, kind } = operation;
    if (kind === 'read') return;
    const payload = encodeCommand({ kind, key, value, expected, operation: id });
    const { watch } = this.#cluster;
    process.enter(() => {
      process.replica.propose({
        payload,
        resolve: ({ index, term, result }) => {
          watch.acknowledged(index, term);
          const answer = wordAt(result, 0);
          this.#settle(operation, { kind: 'answered', answer, place: Number(index) }, done);
        },
        reject: (error) => this.#rejected(operation, error, done),
      });
      process.replica.flush();
    });
  }

  #rejected(operation: PendingOperation, error: unknown, done: (outcome: Outcome) => void): void {
    if (isOutcomeUnknown(error)) this.#settle(operation, { kind: 'unknown' }, done);
    else {
      this.#cluster.watch.refused(operation.id);
      this.#settle(operation, { kind: 'refused' }, done);
    }
  }

  #read(
    process: SimulatedProcess,
    operation: PendingOperation,
    done: (outcome: Outcome) => void,
  ): void {
    const isFollower = process.core.role !== 'leader';
    process.enter(() => {
      process.replica.read({
        resolve: () => {
          const { coverage } = this.#cluster;
          coverage.reads += 1;
          if (isFollower) coverage.followerReads += 1;
          const answer = process.machine.read(operation.key);
          const place = Number(process.replica.applied.index);
          this.#settle(operation, { kind: 'answered', answer, place }, done);
        },
        reject: () => {
          this.#cluster.coverage.readRetries += 1;
          this.#settle(operation, { kind: 'refused' }, done);
        },
      });
    });
  }

  #record(operation: PendingOperation, outcome: Outcome): void {
    const { id, kind, key, value, expected, called } = operation;
    const end = outcome.kind === 'answered' ? outcome.answer : outcome.kind;
    const what = `${kind} ${key} ${value} ${expected} [${called}, ${this.#order + 1}]`;
    this.#cluster.record(`operation ${id}: ${what} ${end}`);
  }

  #settle(operation: PendingOperation, outcome: Outcome, done: (outcome: Outcome) => void): void {
    if (operation.isSettled) return;
    operation.isSettled = true;
    if (outcome.kind !== 'unknown') this.#unanswered.delete(operation);
    this.#order += 1;
    if (this.#cluster.trace.isRecording) this.#record(operation, outcome);
    if (outcome.kind === 'answered') {
      this.answered += 1;
      if (operation.kind !== 'read') this.#cluster.coverage.commands += 1;
      const { answer, place } = outcome;
      const returned = this.#order;
      const { key, kind, value, expected, called } = operation;
      const seen = { key, kind, value, expected, called, returned, place };
      this.#history.push({ ...seen, answer: kind === 'put' ? undefined : answer });
    } else if (outcome.kind === 'unknown' && operation.kind !== 'read') {
      this.#cluster.coverage.unknownOutcomes += 1;
    }
    done(outcome);
  }
}
