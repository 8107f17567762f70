import type { Configuration } from '../../../src/raft/configuration.ts';
import { type Entry, ZERO_CHAIN } from '../../../src/raft/entry.ts';
import { idOf } from '../core-cluster.ts';
import { CoreDisk, testChain } from '../core-member.ts';
import type { CommandWords } from './command-words.ts';

/** The command that a made-up entry carries. It depends on the place alone, as logs share it. */
export function payloadAt(index: bigint, term: bigint, mark = ''): Uint8Array {
  return new TextEncoder().encode(`${index}.${term}${mark}`);
}

/**
 * A disk with a made-up past: `log=1*2,3` is two entries of term 1 and one of term 3, `commit`,
 * `term` and `vote` are what it remembers. Equal places hold equal entries on every disk, unless
 * `mark` makes them others.
 */
export function diskFrom(words: CommandWords, founding: Configuration): CoreDisk {
  const disk = new CoreDisk(founding);
  const mark = words.value('mark') ?? '';
  let chain: Uint8Array = ZERO_CHAIN;
  for (const term of termsIn(words)) {
    const index = disk.lastIndex + 1n;
    const entry: Omit<Entry, 'chain'> = {
      index,
      term,
      kind: 'normal',
      payload: payloadAt(index, term, mark),
    };
    chain = testChain(chain, entry);
    disk.entries.push({ ...entry, chain });
  }
  const vote = words.value('vote');
  disk.hardState = {
    term: words.big('term', disk.entries.at(-1)?.term ?? 0n),
    votedFor: vote === undefined ? undefined : idOf(words.numberIn(vote)),
    commit: words.big('commit', 0n),
  };
  return disk;
}

function termsIn(words: CommandWords): readonly bigint[] {
  const log = words.value('log') ?? '';
  if (log === '') return [];
  return log.split(',').flatMap((run) => {
    const [term = '', count = '1'] = run.split('*');
    return Array<bigint>(words.numberIn(count)).fill(BigInt(words.numberIn(term)));
  });
}
