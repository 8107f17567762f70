import { readFileSync } from 'node:fs';

/** Of the kernel's accounting, everywhere Linux runs. */
const TICKS_PER_SECOND = 100;

function jiffiesOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

function jiffiesOfAll() {
  const [, ...fields] = readFileSync('/proc/stat', 'utf8').split('\n')[0].trim().split(/\s+/);
  const [user, nice, system, , , irq, softirq, steal] = fields.map(Number);
  return user + nice + system + irq + softirq + steal;
}

/** Resident memory of a process in MB, now and at its peak. */
export function residentMb(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const value = (name) =>
    Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1_000;
  return { now: value('VmRSS'), peak: value('VmHWM') };
}

/** Processor seconds that processes, and everything else on the machine, use while `work` runs. */
export async function usageDuring(pids, work) {
  const own = () => pids.reduce((sum, pid) => sum + jiffiesOf(pid), 0);
  const [ownBefore, allBefore, startedAt] = [own(), jiffiesOfAll(), performance.now()];
  const result = await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  const used = (own() - ownBefore) / TICKS_PER_SECOND;
  const all = (jiffiesOfAll() - allBefore) / TICKS_PER_SECOND;
  return { result, seconds, used, others: Math.max(0, all - used) };
}
