// Measures the sides of a workload over lines of JSON: the engine, the loop that one writes by hand and
// DuckDB with one thread, in turns, after their results were compared; then the memory of the first two.
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { blocksOf } from './blocks.mjs';
import { meanTimes, median, processorTime, threadTime } from './programs.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 7);
/** Rounds after which the memory of either side hardly grows. */
const MEMORY_ROUNDS = 8;

function compare(name, found, expected) {
  if (found.length !== expected.length) throw new Error(`${name}: ${found.length} results`);
  const at = found.findIndex((text, index) => text !== expected[index]);
  if (at >= 0) throw new Error(`${name}: ${found[at]} is not ${expected[at]}`);
}

/** Runs sides in turn; for each the milliseconds of processor time and of the clock, round by round. */
async function timesOf(sides) {
  const times = new Map(sides.map(({ name }) => [name, { processor: [], clock: [] }]));
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, run, timeOf } of sides) {
      const { processor, clock } = await meanTimes(run, timeOf);
      times.get(name).processor.push(processor);
      times.get(name).clock.push(clock);
    }
  }
  return times;
}

function peakMemory(workload, side, input, programs) {
  const script = path.join(import.meta.dirname, 'peak-memory.mjs');
  const child = fork(script, [workload, side, input, String(MEMORY_ROUNDS)]);
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${side} ended with ${code}`)));
    child.send(programs);
  });
}

async function memoryFigure(workload, input, programs) {
  const [own, peer] = [
    await peakMemory(workload, 'engine', input, programs),
    await peakMemory(workload, 'loop', input, programs),
  ];
  const ratio = own / peer;
  console.log(`${workload}: at most ${own.toFixed(0)} MB, the loop ${peer.toFixed(0)} MB`);
  return {
    bench: `engine.${workload}-rss`,
    value: Number(own.toFixed(1)),
    unit: 'MB',
    peer: 'the loop in a process of its own',
    peer_value: Number(peer.toFixed(1)),
    ratio: Number(ratio.toFixed(3)),
    goal: 1,
    holds: ratio <= 1,
  };
}

/**
 * @param workload.sides module of the sides
 * @param workload.duckdb runs the statement over a file of lines: `(connection, input) => texts`
 */
export async function measureLines({ name, body, records, programs, sides, duckdb, goal }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'nervix-bench-'));
  try {
    const input = path.join(folder, 'in.ndjson');
    writeFileSync(input, body);
    const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
    const query = duckdb(connection, folder);
    const blocks = blocksOf(body);
    const own = sides.engine(programs);

    const expected = sides.textsOf(sides.loop(blocks));
    compare('engine', sides.textsOf(own(blocks)), expected);
    compare('DuckDB', await query.texts(), expected);
    const bytes = Math.round(body.length / records);
    console.log(`${name}: ${records} records of ${bytes} bytes, ${expected.length} results`);

    const times = await timesOf([
      { name: 'engine', run: () => own(blocks), timeOf: threadTime },
      { name: 'loop', run: () => sides.loop(blocks), timeOf: threadTime },
      { name: 'DuckDB', run: query.run, timeOf: processorTime },
    ]);
    const rate = (side, kind) => (records / median(times.get(side)[kind])) * 1000;
    for (const [side, { processor }] of times) {
      const all = processor.map((each) => Math.round(records / each));
      const [byProcessor, byClock] = ['processor', 'clock'].map((kind) =>
        (rate(side, kind) / rate('loop', kind)).toFixed(2),
      );
      console.log(
        `${side}: ${Math.round(rate(side, 'processor'))} rec/s (${Math.min(...all)}..` +
          `${Math.max(...all)} k), ${byProcessor}x the loop, ${byClock}x by the clock`,
      );
    }
    const ratio = rate('engine', 'processor') / rate('loop', 'processor');
    const rateFigure = {
      bench: `engine.${name}`,
      value: Math.round(rate('engine', 'processor')),
      unit: 'rec/s',
      peer: 'the same loop over JSON.parse written by hand',
      peer_value: Math.round(rate('loop', 'processor')),
      ratio: Number(ratio.toFixed(2)),
      goal,
      holds: ratio >= goal,
    };
    const figures = [rateFigure, await memoryFigure(name, input, programs)];
    for (const figure of figures) console.log(JSON.stringify(figure));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
