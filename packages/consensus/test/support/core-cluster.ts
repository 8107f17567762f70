import type { Configuration } from '../../src/raft/configuration.ts';
import { isSameMember, type MemberId } from '../../src/raft/member-id.ts';
import type { Message } from '../../src/raft/message.ts';
import type { RaftOptions } from '../../src/raft/raft-options.ts';
import { CoreDisk, CoreMember, configurationOf, memberOf } from './core-member.ts';

/** A message between two members. */
export interface Flight {
  readonly from: number;
  readonly to: number;
  readonly message: Message;
}

const STEPS_MAX = 20_000;

/** A few cores and the network between them, moved by the test and by nothing else. */
export class CoreCluster {
  readonly members = new Map<number, CoreMember>();
  /** On their way, in order of sending. */
  flights: Flight[] = [];
  /** Every message that was delivered. */
  readonly delivered: Flight[] = [];
  readonly #options: Partial<RaftOptions>;
  readonly #cut = new Set<string>();
  #runs = 0;

  constructor(
    numbers: readonly number[],
    configuration: Configuration | undefined = configurationOf(numbers),
    options: Partial<RaftOptions> = {},
  ) {
    this.#options = options;
    for (const number of numbers) this.start(number, new CoreDisk(configuration));
  }

  of(number: number): CoreMember {
    const member = this.members.get(number);
    if (member === undefined) throw new Error(`member ${number} does not run`);
    return member;
  }

  /** Starts a process on a disk. */
  start(number: number, disk: CoreDisk): CoreMember {
    this.#runs += 1;
    const member = new CoreMember(memberOf(number), disk, this.#runs, this.#options);
    this.members.set(number, member);
    return member;
  }

  /** Ends the process; what it had not written is lost, what it sent is on its way. */
  crash(number: number): CoreDisk {
    const { disk } = this.of(number);
    this.collect();
    this.members.delete(number);
    return disk;
  }

  restart(number: number): CoreMember {
    return this.start(number, this.crash(number));
  }

  /** From now on nothing goes from one to the other. */
  cut(from: number, to: number): void {
    this.#cut.add(`${from}>${to}`);
  }

  isCut(from: number, to: number): boolean {
    return this.#cut.has(`${from}>${to}`);
  }

  /** Cuts one member from all others, both ways. */
  isolate(number: number): void {
    for (const other of this.members.keys()) {
      if (other === number) continue;
      this.cut(number, other);
      this.cut(other, number);
    }
  }

  heal(): void {
    this.#cut.clear();
  }

  /** Takes what the members have sent. */
  collect(): void {
    for (const [from, member] of this.members) {
      for (const { to, message } of member.outgoing.splice(0)) {
        this.flights.push({ from, to: this.#numberOf(to), message });
      }
    }
  }

  /** Delivers the flight at a position. */
  deliver(at = 0): void {
    this.collect();
    const [flight] = this.flights.splice(at, 1);
    if (flight !== undefined) this.hand(flight);
  }

  /** Hands a message to its receiver, unless the link is cut. */
  hand(flight: Flight): void {
    const { from, to, message } = flight;
    const receiver = this.members.get(to);
    if (receiver === undefined || this.isCut(from, to)) return;
    this.delivered.push(flight);
    receiver.step({ kind: 'message', from: idOf(from), message });
  }

  /** Carries out everything that is under way, until nothing is. */
  settle(): void {
    for (let steps = 0; steps < STEPS_MAX; steps += 1) if (!this.#advance()) return;
    throw new Error('the cluster does not come to rest');
  }

  /** One tick for everyone, and all that follows from it. */
  tick(count = 1): void {
    for (let done = 0; done < count; done += 1) {
      for (const member of this.members.values()) member.step({ kind: 'tick' });
      this.settle();
    }
  }

  /** Ticks until the condition holds. */
  tickUntil(condition: () => boolean, ticksMax = 400): void {
    for (let done = 0; done < ticksMax; done += 1) {
      if (condition()) return;
      this.tick();
    }
    if (!condition()) throw new Error(`the condition does not hold after ${ticksMax} ticks`);
  }

  /** Has a member elected. */
  elect(number: number): CoreMember {
    const member = this.of(number);
    // Nobody votes while it hears from a leader.
    const isElected = () => member.core.role === 'leader';
    for (let turn = 0; turn < 50 && !isElected(); turn += 1) {
      member.step({ kind: 'campaign' });
      this.settle();
      if (!isElected()) this.#silence();
    }
    if (!isElected()) throw new Error(`member ${number} is not elected`);
    return member;
  }

  /** Proposes one command of one byte on a member. */
  propose(number: number, byte: number): void {
    this.of(number).step({ kind: 'propose', payloads: [Uint8Array.of(byte)] });
  }

  get leaders(): readonly number[] {
    return [...this.members].filter(([, it]) => it.core.role === 'leader').map(([key]) => key);
  }

  #advance(): boolean {
    this.collect();
    if (this.flights.length > 0) {
      this.deliver();
      return true;
    }
    let isBusy = false;
    for (const [number, member] of this.members) {
      if (member.persist()) isBusy = true;
      if (member.load()) isBusy = true;
      member.apply();
      if (member.announce()) isBusy = true;
      for (const { to, snapshot } of member.snapshotsTo.splice(0)) {
        isBusy = true;
        const target = this.#numberOf(to);
        const { term } = member.core;
        this.flights.push({
          from: number,
          to: target,
          message: { kind: 'snapshot', term, snapshot },
        });
        const ok = this.members.has(target) && !this.#cut.has(`${number}>${target}`);
        member.step({ kind: 'snapshotResult', peer: to, ok });
      }
    }
    return isBusy;
  }

  /** Lets leases end without letting anybody campaign. */
  #silence(): void {
    const { electionTicksMin } = { electionTicksMin: 10, ...this.#options };
    for (const member of this.members.values()) {
      if (member.core.role === 'leader') continue;
      for (let tick = 0; tick < electionTicksMin; tick += 1) member.step({ kind: 'tick' });
    }
    for (const member of this.members.values()) member.outgoing.splice(0);
  }

  #numberOf(id: MemberId): number {
    return Number(id.nodeId.slice(1));
  }
}

/** The identity of member `n<number>` alone, as transports give it. */
export function idOf(number: number): MemberId {
  const { nodeId, storeId } = memberOf(number);
  return { nodeId, storeId };
}

/** Whether the id is that of member `n<number>`. */
export function isMember(id: MemberId | undefined, number: number): boolean {
  return id !== undefined && isSameMember(id, idOf(number));
}
