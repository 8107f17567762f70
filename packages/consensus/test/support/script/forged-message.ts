import { type EntryBody, ZERO_CHAIN } from '../../../src/raft/entry.ts';
import type { Message } from '../../../src/raft/message.ts';
import type { CoreMember } from '../core-member.ts';
import type { CommandWords } from './command-words.ts';
import { payloadAt } from './script-disk.ts';

/** A message from the words of a command, as if a member had sent it to `receiver`. */
export function messageFrom(words: CommandWords, receiver: CoreMember): Message {
  const kind = words.word('a message');
  const term = words.big('term', receiver.core.term);
  const stream = { generation: words.big('generation', 1n), batch: words.big('batch', 1n) };
  switch (kind) {
    case 'vote':
    case 'preVote': {
      const { index: lastIndex, term: lastTerm } = words.position('last');
      return { kind, term, lastIndex, lastTerm, transfer: words.flag('transfer') };
    }
    case 'voteResponse':
    case 'preVoteResponse':
      return { kind, term, granted: words.flag('granted') };
    case 'heartbeat':
      return { kind, term, commit: words.big('commit', 0n), read: undefined };
    case 'append':
      return { kind, term, ...appendedFrom(words, receiver), ...stream };
    case 'appendAccepted':
      return { kind, term, match: words.big('match', 0n), ...stream };
    case 'appendRejected': {
      const { index: hintIndex, term: hintTerm } = words.position('hint');
      return { kind, term, rejectIndex: words.big('at', 0n), hintIndex, hintTerm, ...stream };
    }
    case 'storeLost':
      return { kind, term, match: words.big('match', 0n) };
    case 'timeoutNow':
    case 'termNotice':
      return { kind, term };
    default:
      return words.fail(`'${kind}' is no message that can be made up`);
  }
}

/** Entries as they stand on made-up disks, behind a place whose chain value the receiver has. */
function appendedFrom(words: CommandWords, { core: { log } }: CoreMember) {
  const { index: prevIndex, term: prevTerm } = words.position('prev');
  const isKnown = prevIndex <= log.lastIndex && log.termAt(prevIndex) === prevTerm;
  const terms = words.value('entries')?.split(',') ?? [];
  const entries = terms.map((word, at): EntryBody => {
    const term = BigInt(words.numberIn(word));
    return { term, kind: 'normal', payload: payloadAt(prevIndex + 1n + BigInt(at), term) };
  });
  const prevChain = isKnown ? log.chainAt(prevIndex) : ZERO_CHAIN;
  return { prevIndex, prevTerm, prevChain, commit: words.big('commit', 0n), entries };
}
