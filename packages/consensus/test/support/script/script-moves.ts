import type { MemberChange } from '../../../src/raft/configuration.ts';
import type { MessageKind } from '../../../src/raft/message.ts';
import { type Flight, idOf } from '../core-cluster.ts';
import { CoreDisk, memberOf } from '../core-member.ts';
import type { CommandWords } from './command-words.ts';
import { messageFrom } from './forged-message.ts';
import { diskFrom } from './script-disk.ts';
import type { ScriptStage } from './script-stage.ts';
import { messageText } from './trace-text.ts';

type Move = (stage: ScriptStage, words: CommandWords) => void;

/** What members are given by their owner, their clock and their disk. */
const INPUTS: Readonly<Record<string, Move>> = {
  tick(stage, words) {
    const who = words.word('members or all');
    const numbers = who === 'all' ? [...stage.cluster.members.keys()] : words.numbersIn(who);
    const count = words.optionalNumber() ?? 1;
    for (let tick = 0; tick < count; tick += 1) {
      for (const number of numbers) stage.step(number, { kind: 'tick' });
    }
  },
  campaign(stage, words) {
    stage.step(words.number('a member'), { kind: 'campaign' });
  },
  propose(stage, words) {
    const number = words.number('a member');
    const payloads = words.rest().map((word) => payloadFrom(words, word));
    if (payloads.length === 0) words.fail('nothing is proposed');
    stage.step(number, { kind: 'propose', payloads });
  },
  change(stage, words) {
    const number = words.number('a member');
    const changes = words.rest().map((word) => changeFrom(words, word));
    stage.step(number, { kind: 'proposeConfiguration', changes });
  },
  transfer(stage, words) {
    const { from, to } = words.pair();
    stage.step(from, { kind: 'transferLeader', target: idOf(to) });
  },
  read(stage, words) {
    const number = words.number('a member');
    const context = BigInt(words.number('the number of the read'));
    stage.step(number, { kind: 'readIndex', context });
  },
  announce(stage, words) {
    stage.step(words.number('a leader'), { kind: 'announceCommit' });
  },
  unreachable(stage, words) {
    const { from, to } = words.pair();
    stage.step(from, { kind: 'peerUnreachable', peer: idOf(to) });
  },
  fail(stage, words) {
    stage.step(words.number('a member'), { kind: 'storeFailed' });
  },
  stall(stage, words) {
    stage.step(words.number('a member'), { kind: 'storeStalled' });
  },
  resume(stage, words) {
    stage.step(words.number('a member'), { kind: 'storeResumed' });
  },
  stop(stage, words) {
    stage.step(words.number('a member'), { kind: 'stop' });
  },
  receive(stage, words) {
    const { from, to } = words.pair();
    stage.forge({ from, to, message: messageFrom(words, stage.cluster.of(to)) });
  },
};

/** What disks do. */
const DISKS: Readonly<Record<string, Move>> = {
  write(stage, words) {
    const number = words.number('a member');
    if (!stage.write(number, words.optionalNumber())) words.fail('nothing waits to be written');
  },
  load(stage, words) {
    const number = words.number('a member');
    const member = stage.cluster.of(number);
    if (!member.load()) words.fail('no entries were asked for');
    stage.show(number);
  },
  compact(stage, words) {
    const number = words.number('a member');
    stage.cluster.of(number).compact(words.big('keep', 0n));
    stage.show(number);
  },
  snapshot(stage, words) {
    const { from, to } = words.pair();
    const isOk = words.flag('arrives');
    if (!isOk && !words.flag('fails')) words.fail('the snapshot arrives or fails');
    if (!stage.endTransfer(from, to, isOk)) words.fail('no snapshot is on its way');
  },
  crash(stage, words) {
    const number = words.number('a member');
    stage.disks.set(number, stage.cluster.crash(number));
    stage.print(`${number} crashed`);
  },
  restart(stage, words) {
    const number = words.number('a member');
    const isRunning = stage.cluster.members.has(number);
    const disk = isRunning ? stage.cluster.crash(number) : stage.disks.get(number);
    if (disk === undefined) return words.fail(`member ${number} never ran`);
    stage.cluster.start(number, disk);
    stage.print(`${number} started`);
  },
  start(stage, words) {
    const number = words.number('a member');
    const disk = words.isEmpty ? new CoreDisk(undefined) : diskFrom(words, stage.founding);
    stage.cluster.members.delete(number);
    stage.cluster.start(number, disk);
    stage.print(`${number} started`);
  },
};

/** What the network does, and everything together. */
const NETWORK: Readonly<Record<string, Move>> = {
  deliver(stage, words) {
    for (const flight of chosenFlights(stage, words)) {
      stage.take(flight);
      stage.hand(flight);
    }
  },
  duplicate(stage, words) {
    for (const flight of chosenFlights(stage, words)) stage.hand(flight);
  },
  drop(stage, words) {
    for (const flight of chosenFlights(stage, words)) {
      stage.take(flight);
      stage.print(`${flight.from}>${flight.to} dropped: ${messageText(flight.message)}`);
    }
  },
  cut(stage, words) {
    while (!words.isEmpty) {
      const { from, to } = words.pair();
      stage.cluster.cut(from, to);
    }
  },
  isolate(stage, words) {
    while (!words.isEmpty) stage.cluster.isolate(words.number('a member'));
  },
  heal(stage) {
    stage.cluster.heal();
  },
  settle(stage) {
    stage.settle();
  },
  run(stage, words) {
    const count = words.number('a number of ticks');
    for (let tick = 0; tick < count; tick += 1) {
      for (const number of stage.cluster.members.keys()) stage.step(number, { kind: 'tick' });
      stage.settle();
    }
  },
};

/** Commands that make something happen. */
export const MOVES: Readonly<Record<string, Move>> = { ...INPUTS, ...DISKS, ...NETWORK };

/** `text`, or `text*count` for a long one. */
function payloadFrom(words: CommandWords, word: string): Uint8Array {
  const [text = '', count = '1'] = word.split('*');
  return new TextEncoder().encode(text.repeat(words.numberIn(count)));
}

function changeFrom(words: CommandWords, word: string): MemberChange {
  const [kind, number = ''] = word.split(':');
  const member = memberOf(words.numberIn(number));
  switch (kind) {
    case 'addLearner':
      return { kind, member };
    case 'promote':
    case 'demote':
    case 'remove':
      return { kind, member: idOf(words.numberIn(number)) };
    case 'update':
      return { kind, member: { ...member, incarnation: 2n } };
    default:
      return words.fail(`'${word}' is no change of members`);
  }
}

/** Messages on their way by link, kind and `first=count`; there must be one. */
function chosenFlights(stage: ScriptStage, words: CommandWords): readonly Flight[] {
  const first = words.value('first');
  const link = words.link();
  const kind = words.isEmpty ? undefined : (words.word('a message') as MessageKind);
  const fitting = stage.flights(link, kind);
  if (fitting.length === 0) words.fail('no such message is on its way');
  return first === undefined ? fitting : fitting.slice(0, words.numberIn(first));
}
