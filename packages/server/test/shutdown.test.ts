import { describe, expect, test } from 'vitest';
import { createLogger } from '../src/logging/logger.ts';
import { type PhaseOutcome, Shutdown, type ShutdownStep } from '../src/shutdown.ts';

const PHASES = ['admission', 'drain-support', 'terminal-teardown'] as const;

interface Run {
  /** Steps that ran, in order. */
  readonly ran: string[];
  /** Messages and outcomes of the log. */
  readonly lines: string[];
  readonly result: PhaseOutcome | Error;
}

/** Runs two steps a phase, of which some fail or are forced. */
async function run(behaviour: Readonly<Record<string, 'throws' | 'Forced'>>): Promise<Run> {
  const ran: string[] = [];
  const lines: string[] = [];
  const write = (line: string): void => {
    const { message, outcome, error } = JSON.parse(line) as Record<string, string>;
    lines.push(`${message} ${outcome ?? error}`);
  };
  const shutdown = new Shutdown(createLogger({ level: 'info', format: 'json', node: 'n', write }));
  const step =
    (name: string): ShutdownStep =>
    async () => {
      ran.push(name);
      if (behaviour[name] === 'throws') throw new Error(name);
      return behaviour[name];
    };
  for (const name of PHASES) await shutdown.phase(name, [step(`${name} 1`), step(`${name} 2`)]);
  try {
    return { ran, lines, result: shutdown.finish() };
  } catch (error) {
    return { ran, lines, result: error as Error };
  }
}

const all = PHASES.flatMap((name) => [`${name} 1`, `${name} 2`]);

describe('CL-104: a stop', () => {
  test('logs each phase with its outcome', async () => {
    const { ran, lines, result } = await run({});
    expect(ran).toEqual(all);
    expect(lines).toEqual(PHASES.map((name) => `shutdown ${name} phase finished Completed`));
    expect(result).toBe('Completed');
  });

  test('is forced when one phase was', async () => {
    const { lines, result } = await run({ 'drain-support 1': 'Forced' });
    expect(lines).toEqual([
      'shutdown admission phase finished Completed',
      'shutdown drain-support phase finished Forced',
      'shutdown terminal-teardown phase finished Completed',
    ]);
    expect(result).toBe('Forced');
  });

  test.each(all)('goes on to its end when %s fails, and reports that', async (failing) => {
    const { ran, lines, result } = await run({ [failing]: 'throws' });
    expect(ran).toEqual(all);
    expect(lines).toEqual(
      PHASES.map(
        (name) =>
          `shutdown ${name} phase finished ${failing.startsWith(name) ? 'Forced' : 'Completed'}`,
      ),
    );
    expect(result).toEqual(new Error(failing));
  });

  test('reports the first of several failures and logs the others', async () => {
    const { ran, lines, result } = await run({
      'admission 2': 'throws',
      'terminal-teardown 1': 'throws',
    });
    expect(ran).toEqual(all);
    expect(result).toEqual(new Error('admission 2'));
    expect(lines).toContain('another step of the stop failed Error: terminal-teardown 1');
  });

  test('goes on behind a step that throws at once', async () => {
    const lines: string[] = [];
    const write = (line: string): number => lines.push(line);
    const logger = createLogger({ level: 'info', format: 'json', node: 'n', write });
    const shutdown = new Shutdown(logger);
    let isReached = false;
    await shutdown.phase('admission', [
      () => {
        throw new TypeError('at once');
      },
      () => {
        isReached = true;
        return undefined;
      },
    ]);
    expect(isReached).toBe(true);
    expect(() => shutdown.finish()).toThrow('at once');
  });
});
