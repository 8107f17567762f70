import type { Configuration } from '../raft/configuration.ts';
import { type MemberId, memberKey } from '../raft/member-id.ts';
import { halvesOf, membersOf } from '../raft/membership.ts';
import { majorityOf } from '../raft/quorum.ts';

/** Members compare their records at every index that this divides. */
const COMPARED_EVERY = 1_000n;
/** How many compared indexes are remembered. */
const REMEMBERED = 16;

interface Reports {
  readonly digests: Map<string, string>;
  /** Members about which something was already said. */
  readonly judged: Set<string>;
}

/** What was found at one index. */
export interface DivergenceVerdict {
  /** The digest of most voters, in a joint configuration of most of each half, if there is one. */
  readonly digest: string | undefined;
  /** Members that reported another one and were not named before. */
  readonly differing: readonly MemberId[];
}

/**
 * Compares the digests of the members' records at equal indexes. Equal logs make equal records;
 * where they differ, an application is not deterministic or a disk has lied.
 */
export class DivergenceWatch {
  readonly #self: MemberId;
  readonly #reports = new Map<bigint, Reports>();

  constructor(self: MemberId) {
    this.#self = self;
  }

  /** Whether records are compared right after the entry at `index`. */
  static isCompared(index: bigint): boolean {
    return index % COMPARED_EVERY === 0n;
  }

  own(index: bigint, digest: string): void {
    this.reported(this.#self, index, digest);
  }

  ownAt(index: bigint): string | undefined {
    return this.#reports.get(index)?.digests.get(memberKey(this.#self));
  }

  reported(member: MemberId, index: bigint, digest: string): void {
    let reports = this.#reports.get(index);
    if (reports === undefined) {
      reports = { digests: new Map(), judged: new Set() };
      this.#reports.set(index, reports);
      this.#forget();
    }
    reports.digests.set(memberKey(member), digest);
  }

  judge(index: bigint, configuration: Configuration): DivergenceVerdict {
    const reports = this.#reports.get(index);
    if (reports === undefined) return { digest: undefined, differing: [] };
    const digests = halvesOf(configuration).map((half) => digestOfMost(half, reports.digests));
    const [digest] = digests;
    if (digest === undefined || digests.some((other) => other !== digest)) {
      return { digest: undefined, differing: [] };
    }
    const differing = membersOf(configuration).filter((member) => {
      const key = memberKey(member);
      const reported = reports.digests.get(key);
      return reported !== undefined && reported !== digest && !reports.judged.has(key);
    });
    for (const member of differing) reports.judged.add(memberKey(member));
    return { digest, differing };
  }

  #forget(): void {
    while (this.#reports.size > REMEMBERED) {
      let oldest: bigint | undefined;
      for (const index of this.#reports.keys()) {
        if (oldest === undefined || index < oldest) oldest = index;
      }
      if (oldest !== undefined) this.#reports.delete(oldest);
    }
  }
}

/** The digest that more than half of these voters have reported. */
function digestOfMost(
  voters: readonly string[],
  digests: ReadonlyMap<string, string>,
): string | undefined {
  const counts = new Map<string, number>();
  for (const voter of voters) {
    const digest = digests.get(voter);
    if (digest !== undefined) counts.set(digest, (counts.get(digest) ?? 0) + 1);
  }
  const needed = majorityOf(voters.length);
  return [...counts].find(([, count]) => count >= needed)?.[0];
}
