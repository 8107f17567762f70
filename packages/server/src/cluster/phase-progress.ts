/** How far one domain has come; nothing is another state than any revision. */
export interface DomainProgress {
  readonly domain: string;
  readonly revision: number | undefined;
}

/**
 * How far a phase has come: every domain to `revision`, except those that are behind it. Progress is
 * cumulative: who is at a revision has come past all before it.
 */
export interface PhaseProgress {
  readonly revision: number | undefined;
  readonly behind: readonly DomainProgress[];
}

export const NO_PROGRESS: PhaseProgress = { revision: undefined, behind: [] };

/** How far a domain has come. */
export function progressOf(progress: PhaseProgress, domain: string): number | undefined {
  const behind = progress.behind.find((each) => each.domain === domain);
  return behind === undefined ? progress.revision : behind.revision;
}

/** Whether progress has come to a revision or past it. */
export function hasReached(progress: number | undefined, revision: number): boolean {
  return progress !== undefined && progress >= revision;
}

/** What everybody has come to; of nobody, nothing. */
export function commonProgress(all: readonly PhaseProgress[]): PhaseProgress {
  return merged(all, (revisions) => extreme(revisions, Math.min, true));
}

/** What anybody has come to. */
export function latestProgress(all: readonly PhaseProgress[]): PhaseProgress {
  return merged(all, (revisions) => extreme(revisions, Math.max, false));
}

export function isSameProgress(left: PhaseProgress, right: PhaseProgress): boolean {
  return (
    left.revision === right.revision &&
    left.behind.length === right.behind.length &&
    left.behind.every(
      ({ domain, revision }, index) =>
        right.behind[index]?.domain === domain && right.behind[index]?.revision === revision,
    )
  );
}

type Revision = number | undefined;

function merged(
  all: readonly PhaseProgress[],
  choose: (revisions: readonly Revision[]) => Revision,
): PhaseProgress {
  const revision = choose(all.map((each) => each.revision));
  const indexed = all.map(({ behind, revision: base }) => ({
    base,
    byDomain: new Map(behind.map((each) => [each.domain, each.revision] as const)),
  }));
  const domains = new Set(indexed.flatMap(({ byDomain }) => [...byDomain.keys()]));
  const behind = [...domains].sort().flatMap((domain) => {
    const own = choose(
      indexed.map(({ base, byDomain }) => (byDomain.has(domain) ? byDomain.get(domain) : base)),
    );
    return own === revision ? [] : [{ domain, revision: own }];
  });
  return { revision, behind };
}

/** @param isNothingLeast whether one that has come to nothing decides for all */
function extreme(
  revisions: readonly Revision[],
  choose: (...numbers: number[]) => number,
  isNothingLeast: boolean,
): Revision {
  const known = revisions.filter((revision) => revision !== undefined);
  if (known.length === 0 || (isNothingLeast && known.length < revisions.length)) return undefined;
  return choose(...known);
}
