import { parseExpression } from '@nervix/nspl-parser';
import { typeExpression } from '@nervix/planner';

export { field } from './schemas.mjs';

/** The typed program of an expression over the rows of a schema. */
export function programOf(text, schema, context = 'processor_condition') {
  const parsed = parseExpression(text);
  if (parsed.kind !== 'parsed') throw new Error(`${text}: ${JSON.stringify(parsed)}`);
  const typed = typeExpression({
    expression: parsed.expression,
    context,
    rows: { input: schema.fields },
  });
  if (typed.kind !== 'typed') throw new Error(`${text}: ${JSON.stringify(typed)}`);
  return typed.program;
}

/** The typed programs of expressions by name. */
export const programsOf = (texts, schema, context) =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, programOf(text, schema, context)]),
  );

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Milliseconds of processor time of this process so far: other work on the machine adds nothing. */
export function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The same of this thread alone, without those of the host that collect and compile. */
export function threadTime() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Shortest round of a side. */
const ROUND_MS = 60;

/** Runs sides in turn, round after round, and gives the milliseconds of a run in each round. */
export function alternate(rounds, sides) {
  const times = sides.map(() => []);
  for (const side of sides) side();
  for (let round = 0; round < rounds; round += 1) {
    sides.forEach((side, index) => {
      const startedAt = threadTime();
      let runs = 0;
      let elapsed = 0;
      // The clock of a thread goes in steps of some milliseconds.
      while (elapsed < ROUND_MS) {
        side();
        runs += 1;
        elapsed = threadTime() - startedAt;
      }
      times[index].push(elapsed / runs);
    });
  }
  return times;
}

/** Milliseconds of a run, by a clock of processor time and by that of the day. */
export async function meanTimes(run, timeOf) {
  const [processorAt, clockAt] = [timeOf(), performance.now()];
  let runs = 0;
  let elapsed = 0;
  while (elapsed < ROUND_MS) {
    await run();
    runs += 1;
    elapsed = timeOf() - processorAt;
  }
  return { processor: elapsed / runs, clock: (performance.now() - clockAt) / runs };
}

/** A figure of rows a second, beside a peer that does the same. */
export function rateFigure({ bench, rows, own, peer, peerName, goal }) {
  const [value, peerValue] = [rows / median(own), rows / median(peer)].map((each) => each * 1000);
  const ratio = value / peerValue;
  const range = (times) =>
    `${Math.round(rows / Math.max(...times))}..${Math.round(rows / Math.min(...times))} rows/ms`;
  console.log(`${bench}: ${range(own)}, ${peerName} ${range(peer)}, ${ratio.toFixed(2)}x`);
  return {
    bench,
    value: Math.round(value),
    unit: 'rows/s',
    peer: peerName,
    peer_value: Math.round(peerValue),
    ratio: Number(ratio.toFixed(2)),
    goal,
    holds: ratio >= goal,
  };
}
