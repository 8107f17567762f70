import { parseStatement } from '@nervix/nspl-parser';
import type { LeaderView, NodeReport } from '../../src/cluster/activation-messages.ts';
import { AVAILABILITY_LIMITS } from '../../src/cluster/availability.ts';
import { ClusterHealth } from '../../src/cluster/cluster-health.ts';
import { NodeActivation } from '../../src/control-plane/activation/node-activation.ts';
import type { StateRecord } from '../../src/replicated-state/records.ts';
import { ReplicatedState } from '../../src/replicated-state/replicated-state.ts';
import type { StateLog } from '../../src/replicated-state/state-log.ts';
import type { WriteCommand } from '../../src/replicated-state/write-command.ts';
import type { InstalledVersions } from '../../src/resources/installed-versions.ts';
import { FakeDataPlane } from './fake-data-plane.ts';

/** No graph of these tests binds a resource. */
const NO_VERSIONS = {} as InstalledVersions;

/** A model of the domain `d`, by the statement that creates it. */
export function modelRecord(text: string): StateRecord {
  const result = parseStatement(text);
  const statement = result.kind === 'parsed' ? result.parsed.statement : undefined;
  if (statement?.kind !== 'create_model') throw new Error(`${text} creates no model`);
  return { kind: 'model', domain: 'd', model: statement.model };
}

/** The domain `d` with its schema, which runs unless it is said to be stopped. */
export function domainRecords(status: 'running' | 'stopped' = 'running'): readonly StateRecord[] {
  return [
    { kind: 'domain', name: 'd', placement: 'NEUTRAL', status, generation: 1, lastStart: null },
    modelRecord('CREATE SCHEMA s (id I64);'),
  ];
}

/** A relay of the domain `d`, and where it runs. */
export function relayRecords(name: string, owner: string): readonly StateRecord[] {
  return [
    modelRecord(`CREATE RELAY ${name} SCHEMA s UNBRANCHED CAPACITY 8;`),
    { kind: 'assignment', domain: 'd', entry: { kind: 'relay', name, nodes: [owner] } },
  ];
}

/** One member: its copy of the state, its data plane, what it knows of the others. */
export class Member {
  readonly name: string;
  readonly incarnation: string;
  readonly state = new ReplicatedState();
  readonly dataPlane = new FakeDataPlane();
  readonly later: { readonly delayMs: number; readonly run: () => void }[] = [];
  readonly health: ClusterHealth;
  readonly activation: NodeActivation;
  readonly #cluster: ActivationCluster;
  #applied = 0;

  constructor(
    cluster: ActivationCluster,
    name: string,
    incarnation: string,
    recover: (state: ReplicatedState) => void,
  ) {
    this.#cluster = cluster;
    this.name = name;
    this.incarnation = incarnation;
    this.health = new ClusterHealth({
      local: { node: name, incarnation },
      limits: AVAILABILITY_LIMITS,
      configured: () => cluster.configured.map((node) => ({ node, isVoter: true })),
      nowMs: () => cluster.nowMs,
    });
    recover(this.state);
    const log: StateLog = {
      state: this.state,
      status: () =>
        ({
          role: cluster.leader === name ? 'leader' : 'follower',
          term: cluster.term,
        }) as ReturnType<StateLog['status']>,
      write: () => Promise.reject(new Error('nobody writes here')),
      activateLevel: () => Promise.reject(new Error('nobody writes here')),
    };
    this.activation = new NodeActivation({
      log,
      health: this.health,
      dataPlane: this.dataPlane,
      versions: NO_VERSIONS,
      after: (delayMs, run) => void this.later.push({ delayMs, run }),
      peers: {
        report: (report) => cluster.send(this, report),
        announce: (view) => cluster.announce(this, view),
      },
    });
  }

  /** Applies what is committed, up to a number of commands. */
  apply(count = Number.POSITIVE_INFINITY): void {
    for (; this.#applied < Math.min(count, this.#cluster.commands.length); ) {
      const command = this.#cluster.commands[this.#applied] as WriteCommand;
      this.#applied += 1;
      this.state.apply(command, BigInt(this.#applied), this.#applied);
      this.state.publish(BigInt(this.#applied));
    }
  }

  /** Lets what was left for later happen. */
  passTime(): void {
    for (const { run } of this.later.splice(0)) run();
  }
}

/** Lets promises that wait for nothing else go on. */
export async function turn(): Promise<void> {
  for (let count = 0; count < 5; count += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Members on one sequence of commands; messages are held back until the test lets them go. */
export class ActivationCluster {
  readonly commands: WriteCommand[] = [];
  readonly members = new Map<string, Member>();
  configured: readonly string[] = [];
  leader = 'n1';
  term = 1n;
  nowMs = 1_000_000;
  /** Whether messages arrive at once. */
  isOpen = true;
  readonly held: (() => void)[] = [];
  #lives = 0;

  /** Starts a process of a member, in place of the one before it. */
  start(
    name: string,
    recover: (state: ReplicatedState) => void = (state) => state.restored(0),
  ): Member {
    this.#lives += 1;
    if (!this.configured.includes(name)) this.configured = [...this.configured, name].sort();
    const member = new Member(this, name, `${name}/${this.#lives}`, recover);
    this.members.set(name, member);
    member.apply();
    this.meet();
    return member;
  }

  /** Everybody sees everybody who is there; the others fail their probes. */
  meet(): void {
    for (const observer of this.members.values()) {
      for (const node of this.configured) {
        const seen = this.members.get(node);
        const outcome = seen === undefined ? 'failure' : 'healthy';
        const { incarnation } = seen ?? {};
        const atMs = this.nowMs;
        observer.health.observe({ node, incarnation, outcome, isTerminating: false, atMs });
      }
      observer.activation.repeat();
    }
  }

  /** Seconds in which everybody probes everybody. */
  pass(seconds: number): void {
    for (let second = 0; second < seconds; second += 1) {
      this.nowMs += 1_000;
      this.meet();
    }
  }

  /** Commits records, and lets some members apply them. */
  commit(put: readonly StateRecord[], remove: readonly string[] = []): number {
    this.commands.push({ fences: [], put, remove, reference: null });
    return this.commands.length;
  }

  applyEverywhere(): void {
    for (const member of this.members.values()) member.apply();
  }

  send(from: Member, report: NodeReport): void {
    this.#post(from, (to) => to.activation.receiveReport(report));
  }

  announce(from: Member, view: LeaderView): void {
    this.#post(from, (to) => to.activation.receiveView(view));
  }

  /** Lets everything that was held back arrive, in an order of the test's. */
  deliver(order: (messages: (() => void)[]) => readonly (() => void)[] = (each) => each): void {
    for (const arrive of order(this.held.splice(0))) arrive();
  }

  #post(from: Member, arrive: (to: Member) => void): void {
    const deliver = (): void => {
      for (const to of this.members.values()) if (to !== from) arrive(to);
    };
    if (this.isOpen) deliver();
    else this.held.push(deliver);
  }
}
