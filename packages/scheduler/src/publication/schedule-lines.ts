import { nameList } from '../moves/moved-member.js';
import { compareKeys, compareText } from '../placement/graph-key.js';
import type { ScheduleEntry } from '../schedule-entry.js';

/** The schedule in force of one domain. */
export interface PublishedSchedule {
  readonly domain: string;
  readonly entries: readonly ScheduleEntry[];
}

/** The lines of `SHOW CLUSTER STATUS` about schedules: domains by name, graph nodes by key. */
export function scheduleLines(schedules: readonly PublishedSchedule[]): readonly string[] {
  if (schedules.length === 0) return ['- none'];
  return schedules
    .toSorted((left, right) => compareText(left.domain, right.domain))
    .flatMap(({ domain, entries }) =>
      entries.length === 0
        ? [`- domain=${domain} nodes=none`]
        : entries.toSorted(compareKeys).map((entry) => entryLine(domain, entry)),
    );
}

function entryLine(domain: string, { kind, name, nodes }: ScheduleEntry): string {
  const [owner = '-', ...replicas] = nodes;
  const subject = `- domain=${domain} kind=${kind} name=${name}`;
  return `${subject} owner=${owner} replicas=${nameList(replicas)}`;
}
