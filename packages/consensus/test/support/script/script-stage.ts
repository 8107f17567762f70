import type { Configuration } from '../../../src/raft/configuration.ts';
import type { Input } from '../../../src/raft/input.ts';
import type { MessageKind } from '../../../src/raft/message.ts';
import type { RaftOptions } from '../../../src/raft/raft-options.ts';
import { CoreCluster, type Flight, idOf } from '../core-cluster.ts';
import { CoreInvariants } from '../core-invariants.ts';
import type { CoreDisk, CoreMember } from '../core-member.ts';
import type { Link } from './command-words.ts';
import { inputText, messageText, numberOf, outputLines } from './trace-text.ts';

const MOVES_MAX = 2_000;

/** The cluster of a script, where nothing moves but by a command, and what it did so far. */
export class ScriptStage {
  readonly cluster: CoreCluster;
  readonly disks = new Map<number, CoreDisk>();
  readonly founding: Configuration;
  /** What the commands of the present block have printed. */
  lines: string[] = [];
  readonly #invariants = new CoreInvariants();
  readonly #shown = new Map<CoreMember, { inputs: number; ticks: number }>();
  #isGenuine = true;

  constructor(numbers: readonly number[], founding: Configuration, options: Partial<RaftOptions>) {
    this.founding = founding;
    this.cluster = new CoreCluster(numbers, founding, options);
  }

  print(line: string): void {
    this.lines.push(line);
  }

  /** Prints what the member did since the last look. Ticks that did nothing are left out. */
  show(number: number): void {
    const member = this.cluster.members.get(number);
    if (member === undefined) return;
    const { inputs, outputs } = member;
    const shown = this.#shown.get(member) ?? { inputs: 0, ticks: 0 };
    this.#shown.set(member, shown);
    for (; shown.inputs < inputs.length; shown.inputs += 1) {
      const [input, output] = [inputs[shown.inputs], outputs[shown.inputs]];
      if (input === undefined || output === undefined) break;
      if (input.kind === 'tick') shown.ticks += 1;
      const did = outputLines(output);
      if (did.length === 0 && (input.kind === 'tick' || input.kind === 'applied')) continue;
      this.print(inputText(number, input, shown.ticks));
      this.lines.push(...did);
    }
  }

  step(number: number, input: Input): void {
    this.cluster.of(number).step(input);
    this.show(number);
  }

  /** The protocol's rules, which hold for everything that members do of themselves. */
  check(): void {
    if (this.#isGenuine) this.#invariants.check(this.cluster);
  }

  /** Gives a member a message that nobody sent; from then on the rules prove nothing. */
  forge(flight: Flight): void {
    this.#isGenuine = false;
    const { from, to, message } = flight;
    this.step(to, { kind: 'message', from: idOf(from), message });
  }

  /** Messages on their way that fit, oldest first. */
  flights(link: Link, kind: MessageKind | undefined): readonly Flight[] {
    this.cluster.collect();
    return this.cluster.flights.filter(
      ({ from, to, message }) =>
        from === (link.from ?? from) &&
        to === (link.to ?? to) &&
        message.kind === (kind ?? message.kind),
    );
  }

  take(flight: Flight): void {
    const at = this.cluster.flights.indexOf(flight);
    if (at >= 0) this.cluster.flights.splice(at, 1);
  }

  hand(flight: Flight): void {
    const { from, to, message } = flight;
    const isLost = !this.cluster.members.has(to) || this.cluster.isCut(from, to);
    if (isLost) this.print(`${from}>${to} lost: ${messageText(message)}`);
    this.cluster.hand(flight);
    this.show(to);
  }

  /** Makes queued jobs durable, one write for each. Returns whether there were any. */
  write(number: number, count = Number.POSITIVE_INFINITY): boolean {
    const member = this.cluster.of(number);
    let done = 0;
    while (done < count && member.persist()) done += 1;
    this.show(number);
    return done > 0;
  }

  /** Ends the oldest transfer of a snapshot to a member; a good one hands the snapshot over. */
  endTransfer(from: number, to: number, isOk: boolean): boolean {
    const { snapshotsTo, core } = this.cluster.of(from);
    const at = snapshotsTo.findIndex((transfer) => numberOf(transfer.to) === to);
    const [transfer] = at < 0 ? [] : snapshotsTo.splice(at, 1);
    if (transfer === undefined) return false;
    const { snapshot } = transfer;
    if (isOk) this.hand({ from, to, message: { kind: 'snapshot', term: core.term, snapshot } });
    this.step(from, { kind: 'snapshotResult', peer: idOf(to), ok: isOk });
    return true;
  }

  /** Carries out everything that is under way, until nothing is. */
  settle(): void {
    for (let moves = 0; moves < MOVES_MAX; moves += 1) if (!this.#move()) return;
    throw new Error('the cluster does not come to rest');
  }

  #move(): boolean {
    const [flight] = this.flights({ from: undefined, to: undefined }, undefined);
    if (flight !== undefined) {
      this.take(flight);
      this.hand(flight);
      return true;
    }
    let isBusy = false;
    for (const [number, member] of this.cluster.members) {
      if (this.write(number, 1)) isBusy = true;
      if (member.load()) isBusy = true;
      member.apply();
      if (member.announce()) isBusy = true;
      this.show(number);
      const [transfer] = member.snapshotsTo;
      if (transfer === undefined) continue;
      const to = numberOf(transfer.to);
      const isOk = this.cluster.members.has(to) && !this.cluster.isCut(number, to);
      if (this.endTransfer(number, to, isOk)) isBusy = true;
    }
    return isBusy;
  }
}
