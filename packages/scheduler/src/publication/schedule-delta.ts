import { compareKeys, compareText, type GraphKey, keyText } from '../placement/graph-key.js';
import { FIRST_GENERATION, type ScheduleEntry } from '../schedule-entry.js';

/** What happens to one graph node between two schedules, from the least to the most. */
export type EntryChange = 'unchanged' | 'replica_only' | 'primary_moved' | 'structural';

/** One graph node that is in either schedule. */
export interface EntryDelta extends GraphKey {
  readonly change: EntryChange;
}

/** How two schedules of a domain differ. */
export interface ScheduleDelta {
  /** In key order. */
  readonly entries: readonly EntryDelta[];
  /** The strongest change of all entries. */
  readonly change: EntryChange;
  /** `ENTITY_PAUSE` where an owner changes while the domain runs. */
  readonly level: 'DYNAMIC' | 'ENTITY_PAUSE';
}

const STRENGTH: readonly EntryChange[] = [
  'unchanged',
  'replica_only',
  'primary_moved',
  'structural',
];

/** What a comparison has to know besides the schedules. */
export interface DeltaContext {
  readonly isRunning: boolean;
  /** Listeners; they follow the membership, so a change of theirs moves nothing. */
  readonly listeners?: readonly GraphKey[];
}

/**
 * Compares two schedules of a domain. An entry that comes, goes, gets its first owner or carries
 * other partitions or generations is structural: more than owners and replicas changes.
 */
export function scheduleDelta(
  before: readonly ScheduleEntry[],
  after: readonly ScheduleEntry[],
  { isRunning, listeners = [] }: DeltaContext,
): ScheduleDelta {
  const following = new Set(listeners.map(keyText));
  const entries = pairedEntries(before, after).map(({ key: { kind, name }, former, latter }) => {
    const isListener = following.size > 0 && following.has(keyText({ kind, name }));
    return { kind, name, change: entryChange(former, latter, isListener) };
  });
  const strengths = entries.map(({ change }) => STRENGTH.indexOf(change));
  const hasMove = isRunning && entries.some(({ change }) => change === 'primary_moved');
  return {
    entries,
    change: STRENGTH[strengths.reduce((most, own) => Math.max(most, own), 0)] ?? 'unchanged',
    level: hasMove ? 'ENTITY_PAUSE' : 'DYNAMIC',
  };
}

/** The entries of one graph node in both schedules. */
interface PairedEntries {
  readonly key: GraphKey;
  readonly former: ScheduleEntry | undefined;
  readonly latter: ScheduleEntry | undefined;
}

/** One walk along both schedules, in key order. */
function pairedEntries(
  before: readonly ScheduleEntry[],
  after: readonly ScheduleEntry[],
): readonly PairedEntries[] {
  const [formers, latters] = [inKeyOrder(before), inKeyOrder(after)];
  const pairs: PairedEntries[] = [];
  for (let left = 0, right = 0; left < formers.length || right < latters.length; ) {
    const [one, other] = [formers[left], latters[right]];
    const order = orderOf(one, other);
    const former = order <= 0 ? one : undefined;
    const latter = order >= 0 ? other : undefined;
    const key = former ?? latter;
    if (key !== undefined) pairs.push({ key, former, latter });
    left += order <= 0 ? 1 : 0;
    right += order >= 0 ? 1 : 0;
  }
  return pairs;
}

/** The same list where it is in order already, as schedules are that were computed or stored. */
function inKeyOrder(entries: readonly ScheduleEntry[]): readonly ScheduleEntry[] {
  const isOrdered = entries.every((entry, at) => at === 0 || orderOf(entries[at - 1], entry) < 0);
  return isOrdered ? entries : entries.toSorted(compareKeys);
}

/** Order of two keys; what is behind the end of a list comes last. */
function orderOf(left: GraphKey | undefined, right: GraphKey | undefined): number {
  if (left === undefined || right === undefined) {
    return Number(left === undefined) - Number(right === undefined);
  }
  return compareKeys(left, right);
}

function entryChange(
  before: ScheduleEntry | undefined,
  after: ScheduleEntry | undefined,
  isListener: boolean,
): EntryChange {
  if (before === undefined || after === undefined) return 'structural';
  if (before === after) return 'unchanged';
  if (carriesAnything(before) || carriesAnything(after)) {
    if (carriedText(before) !== carriedText(after)) return 'structural';
  }
  if (before.nodes.join() === after.nodes.join()) return 'unchanged';
  if (isListener) return 'replica_only';
  const [from, to] = [before.nodes[0], after.nodes[0]];
  if (from === undefined || to === undefined) return 'structural';
  return from === to ? 'replica_only' : 'primary_moved';
}

function carriesAnything({ partitions, guestGenerations }: ScheduleEntry): boolean {
  return partitions !== undefined || guestGenerations !== undefined;
}

function carriedText({ partitions, guestGenerations }: ScheduleEntry): string {
  const { common, byBranch } = guestGenerations ?? FIRST_GENERATION;
  const branches = Object.entries(byBranch).sort(([left], [right]) => compareText(left, right));
  return JSON.stringify([partitions ?? null, common, branches]);
}
