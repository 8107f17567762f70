import type { FailoverOutcome } from '../computation/domain-schedule.js';
import { nameList } from '../moves/moved-member.js';
import { compareKeys, compareText, keyText } from '../placement/graph-key.js';
import type { ScheduleEntry } from '../schedule-entry.js';

/** The schedule in force of one domain. */
export interface PublishedSchedule {
  readonly domain: string;
  readonly entries: readonly ScheduleEntry[];
  /** Failovers of the publication that are under way, as it names them; absent means none. */
  readonly transitions?: readonly FailoverOutcome[];
}

/** Words for what became of state. */
const RECOVERY_WORDS = { promoted: 'prepared', reset: 'reset', stateless: 'none' } as const;

/** The lines of `SHOW CLUSTER STATUS` about schedules: domains by name, graph nodes by key. */
export function scheduleLines(schedules: readonly PublishedSchedule[]): readonly string[] {
  if (schedules.length === 0) return ['- none'];
  return schedules
    .toSorted((left, right) => compareText(left.domain, right.domain))
    .flatMap(({ domain, entries, transitions = [] }) => {
      if (entries.length === 0) return [`- domain=${domain} nodes=none`];
      const byKey = new Map(transitions.map((outcome) => [keyText(outcome), outcome]));
      return entries
        .toSorted(compareKeys)
        .map((entry) => `${entryLine(domain, entry)}${transitionText(byKey.get(keyText(entry)))}`);
    });
}

function entryLine(domain: string, { kind, name, nodes }: ScheduleEntry): string {
  const [owner = '-', ...replicas] = nodes;
  const subject = `- domain=${domain} kind=${kind} name=${name}`;
  return `${subject} owner=${owner} replicas=${nameList(replicas)}`;
}

/** What became of the state of a graph node that failed over; nothing for all others. */
function transitionText(outcome: FailoverOutcome | undefined): string {
  if (outcome === undefined) return '';
  const resets = outcome.resets.map(({ component, cause }) => `${component}:${cause}`).join(',');
  const recovery = `transition_from=${outcome.from} state_recovery=${RECOVERY_WORDS[outcome.state]}`;
  return resets === '' ? ` ${recovery}` : ` ${recovery} resets=${resets}`;
}
