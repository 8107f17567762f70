import type { RaftLog } from '../../../src/raft/raft-log.ts';
import type { CoreMember } from '../core-member.ts';
import type { CommandWords } from './command-words.ts';
import type { ScriptStage } from './script-stage.ts';
import { configurationText, messageText, numberOf } from './trace-text.ts';

/** What commands that change nothing print. */
export const VIEWS: Readonly<Record<string, (stage: ScriptStage, words: CommandWords) => void>> = {
  status(stage, words) {
    const numbers = words.isEmpty ? [...stage.cluster.members.keys()].sort() : [];
    while (!words.isEmpty) numbers.push(words.number('members'));
    for (const number of numbers) stage.print(statusText(number, stage.cluster.of(number)));
  },

  members(stage, words) {
    const { core } = stage.cluster.of(words.number('a member'));
    const { configuration, configurationIndex, commit } = core;
    if (configuration === undefined) {
      stage.print('none');
      return;
    }
    const state = configurationIndex <= commit ? 'committed' : 'uncommitted';
    stage.print(`${configurationIndex}: ${configurationText(configuration)}; ${state}`);
  },

  log(stage, words) {
    while (!words.isEmpty) {
      const number = words.number('members');
      const { core } = stage.cluster.of(number);
      stage.print(`${number}: ${logText(core.log)}`);
    }
  },

  progress(stage, words) {
    const { core } = stage.cluster.of(words.number('a leader'));
    for (const progress of core.progress.values()) {
      const { member, state, match, next, generation, inflightBatches, inflightBytes } = progress;
      const window = inflightBatches === 0 ? '' : ` inflight ${inflightBatches}/${inflightBytes}`;
      const place = `match ${match} next ${next} stream ${generation}`;
      stage.print(`${numberOf(member)} ${state} ${place}${window}`);
    }
    if (core.progress.size === 0) stage.print('none');
  },

  flights(stage, words) {
    for (const { from, to, message } of stage.flights(words.link(), undefined)) {
      stage.print(`${from}>${to} ${messageText(message)}`);
    }
  },
};

function statusText(number: number, { core, disk }: CoreMember): string {
  const { role, term, leader } = core.softState;
  const leads = leader === undefined ? 'none' : numberOf(leader);
  const vote = core.votedFor === undefined ? 'none' : numberOf(core.votedFor);
  const { lastIndex, lastTerm, stable } = core.log;
  const place = `last ${lastIndex}/${lastTerm} stable ${stable}`;
  const reached = `commit ${core.commit} applied ${disk.applied}`;
  return `${number} ${role} t${term} leader ${leads} vote ${vote} ${place} ${reached}`;
}

/** The terms of a log, as runs of indexes. */
function logText(log: RaftLog): string {
  const { purged, lastIndex } = log;
  const runs: string[] = purged.index === 0n ? [] : [`behind ${purged.index}/${purged.term}`];
  let first = purged.index + 1n;
  for (let index = first; index <= lastIndex; index += 1n) {
    if (index < lastIndex && log.termAt(index + 1n) === log.termAt(index)) continue;
    const range = first === index ? `${index}` : `${first}-${index}`;
    runs.push(`${range} t${log.termAt(index)}`);
    first = index + 1n;
  }
  return runs.length === 0 ? 'empty' : runs.join(', ');
}
