/** How many of `count` voters are a majority. */
export function majorityOf(count: number): number {
  return Math.floor(count / 2) + 1;
}

/** The groups of voters that must each agree: one, or both halves of a joint configuration. */
export type VoterHalves = readonly (readonly string[])[];

/** Whether those for whom `agrees` holds are a majority of every half. No voters agree on nothing. */
export function isQuorum(halves: VoterHalves, agrees: (voter: string) => boolean): boolean {
  return (
    halves.length > 0 &&
    halves.every((half) => {
      let count = 0;
      for (const voter of half) if (agrees(voter)) count += 1;
      return count >= majorityOf(half.length);
    })
  );
}

/** Result of an election so far. */
export type Tally = 'won' | 'lost' | 'pending';

/** Counts votes; `undefined` is a voter who has not answered. */
export function tally(halves: VoterHalves, voteOf: (voter: string) => boolean | undefined): Tally {
  if (isQuorum(halves, (voter) => voteOf(voter) === true)) return 'won';
  if (isQuorum(halves, (voter) => voteOf(voter) !== false)) return 'pending';
  return 'lost';
}

/** The greatest value that a majority of every half has reached. */
export function reachedByQuorum(halves: VoterHalves, reached: (voter: string) => bigint): bigint {
  let result: bigint | undefined;
  for (const half of halves) {
    const value = reachedByMajority(half, reached);
    if (result === undefined || value < result) result = value;
  }
  return result ?? 0n;
}

function reachedByMajority(half: readonly string[], reached: (voter: string) => bigint): bigint {
  const values = half.map(reached);
  const needed = majorityOf(half.length);
  let result = 0n;
  // There are few voters: counting them costs less than putting them in order.
  for (const value of values) {
    if (value <= result) continue;
    let count = 0;
    for (const other of values) if (other >= value) count += 1;
    if (count >= needed) result = value;
  }
  return result;
}
