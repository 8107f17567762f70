import { compareKeys, compareText, type GraphKey, keyText } from '../placement/graph-key.js';
import type { ScheduleEntry } from '../schedule-entry.js';

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
  const former = new Map(before.map((entry) => [keyText(entry), entry]));
  const latter = new Map(after.map((entry) => [keyText(entry), entry]));
  const following = new Set(listeners.map(keyText));
  const keys = new Map([...former, ...latter]);
  const entries = [...keys.values()].sort(compareKeys).map(({ kind, name }) => {
    const key = keyText({ kind, name });
    const change = entryChange(former.get(key), latter.get(key), following.has(key));
    return { kind, name, change };
  });
  const strengths = entries.map(({ change }) => STRENGTH.indexOf(change));
  const hasMove = isRunning && entries.some(({ change }) => change === 'primary_moved');
  return {
    entries,
    change: STRENGTH[strengths.reduce((most, own) => Math.max(most, own), 0)] ?? 'unchanged',
    level: hasMove ? 'ENTITY_PAUSE' : 'DYNAMIC',
  };
}

function entryChange(
  before: ScheduleEntry | undefined,
  after: ScheduleEntry | undefined,
  isListener: boolean,
): EntryChange {
  if (before === undefined || after === undefined) return 'structural';
  if (carriedText(before) !== carriedText(after)) return 'structural';
  if (before.nodes.join() === after.nodes.join()) return 'unchanged';
  if (isListener) return 'replica_only';
  const [from, to] = [before.nodes[0], after.nodes[0]];
  if (from === undefined || to === undefined) return 'structural';
  return from === to ? 'replica_only' : 'primary_moved';
}

function carriedText({ partitions, guestGenerations }: ScheduleEntry): string {
  const { common, byBranch } = guestGenerations ?? { common: 1, byBranch: {} };
  const branches = Object.entries(byBranch).sort(([left], [right]) => compareText(left, right));
  return JSON.stringify([partitions ?? null, common, branches]);
}
