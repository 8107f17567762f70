import type { CommandOutcome } from '@nervix/protocol';
import { describe, expect, test } from 'vitest';
import { Client, RejectedError, UncertainError } from '../../src/index.js';
import {
  BREAK_KINDS,
  type BreakPoint,
  type ChooseBreak,
  startBreakingServer,
} from '../support/session/breaking-server.js';
import type { ModelNode } from '../support/session/model-node.js';

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Breaks at random, at most so many times. */
function breaksOf(seed: number, breaksMax: number): ChooseBreak {
  const random = randomOf(seed);
  let left = breaksMax;
  return () => {
    if (left === 0 || random() > 0.35) return undefined;
    left -= 1;
    return BREAK_KINDS[Math.floor(random() * BREAK_KINDS.length)];
  };
}

type End = { readonly outcome?: CommandOutcome; readonly error?: unknown };

async function endOf(call: Promise<CommandOutcome>): Promise<End> {
  try {
    return { outcome: await call };
  } catch (error) {
    return { error };
  }
}

/** How often a statement may have taken effect, as its caller was told. */
function timesTold({ outcome, error }: End): readonly number[] {
  if (outcome !== undefined) return [1];
  return error instanceof UncertainError ? [0, 1] : [0];
}

function expectTruth(node: ModelNode, text: string, end: End, times: number): void {
  expect(timesTold(end), text).toContain(times);
  const references = [...(node.references.get(text) ?? [])];
  expect(references.length, `references of ${text}`).toBeLessThanOrEqual(1);
  if (end.error instanceof UncertainError) {
    expect([end.error.executionReference]).toEqual(
      references.length === 0 ? [end.error.executionReference] : references,
    );
  }
}

const ALL_ROWS = 'row 1, row 2, row 3, row 4';
const COUNT = Number(process.env['PROP_RUNS'] ?? 120);

/** Runs seeded cases, several at once, and names the seed of one that fails. */
async function runSeeds(run: (seed: number) => Promise<void>): Promise<void> {
  const seeds = Array.from({ length: COUNT }, (_, index) => index + 1);
  const atOnce = Array.from({ length: 30 }, async () => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const named = seed;
      await run(seed).catch((cause: unknown) => {
        throw new Error(`seed ${named} failed`, { cause });
      });
    }
  });
  await Promise.all(atOnce);
}

function clientOf(url: string): Client {
  const user = { user: 'ada', password: 'x', domain: 'shop' };
  return new Client({ server: url, ...user, transport: 'session', requestTimeoutMs: 20_000 });
}

describe('sessions that break anywhere', () => {
  test('CL-32, CL-108.1: a command takes effect once, and its outcome is told or is uncertain', async () => {
    const points = new Set<BreakPoint>();
    await runSeeds(async (seed) => {
      const choose = breaksOf(seed, 4);
      const { node, server } = await startBreakingServer((point) => {
        const kind = choose(point);
        if (kind !== undefined) points.add(point);
        return kind;
      });
      const client = clientOf(server.url);
      const texts = ['CREATE a', 'CREATE b', 'CREATE bad', 'CREATE c'];
      const ends = await Promise.all(texts.map((text) => endOf(client.execute(text))));
      for (const [index, text] of texts.entries()) {
        const end = ends[index] ?? {};
        expectTruth(node, text, end, node.effects.filter((effect) => effect === text).length);
        const isRefused = end.error instanceof RejectedError;
        expect(isRefused || end.outcome !== undefined, `${text}: ${String(end.error)}`).toBe(true);
        expect(isRefused).toBe(text === 'CREATE bad');
      }
      await client.close();
      await server[Symbol.asyncDispose]();
    });
    expect([...points].sort()).toEqual([
      'answered',
      'carried out',
      'received',
      'ticket',
      'welcome',
    ]);
  });

  test('CL-32, CL-41, CL-108.3: lost replies of BEGIN, appends and COMMIT queue nothing twice', async () => {
    await runSeeds(async (seed) => {
      const { node, server } = await startBreakingServer(breaksOf(seed, 5));
      const client = clientOf(server.url);
      const transaction = await client.transaction('shop');
      for (const text of ['CREATE a', 'CREATE b', 'CREATE c']) {
        const { transaction_admission } = await transaction.append(text);
        expect(transaction_admission?.operation).toBe(transaction.position);
      }
      await transaction.commit();
      expect(transaction.state).toBe('Committed');
      expect(node.effects).toEqual(['CREATE a', 'CREATE b', 'CREATE c']);
      expect([...node.transactions.keys()]).toEqual([transaction.id]);
      for (const references of node.references.values()) expect(references.size).toBe(1);
      await client.close();
      await server[Symbol.asyncDispose]();
    });
  });

  test('CL-48, CL-51, CL-73: subscriptions tell of every session they lose, and repeat no row', async () => {
    let interruptions = 0;
    await runSeeds(async (seed) => {
      const { server } = await startBreakingServer(breaksOf(seed, 4));
      const client = clientOf(server.url);
      const subscription = await client.subscribe({ relay: 'orders' });
      const lines: string[] = [];
      let last = 0;
      for await (const record of subscription) {
        if ('row' in record) {
          const { id, total } = record.row as { id: number; total: number };
          lines.push(`row ${total}`);
          // What a lost session did not bring is missing, and nothing of it comes later.
          expect(id).toBeGreaterThanOrEqual(last);
          last = id;
          // The session that brings a fourth one stays.
          if (total === 4) break;
        } else lines.push(Object.keys(record)[0] ?? '');
      }
      const told = lines.filter((line) => line !== 'restorationFailed').join(', ');
      const parts = told.split('interrupted, ');
      interruptions += parts.length - 1;
      for (const [index, part] of parts.entries()) {
        const rows = part.replace(/, $/, '').replace(/^restored(, )?/, '');
        expect(part.startsWith('restored')).toBe(index > 0);
        expect(['', 'row 1', 'row 1, row 2', 'row 1, row 2, row 3', ALL_ROWS]).toContain(rows);
        expect(rows === ALL_ROWS).toBe(index === parts.length - 1);
      }
      await client.close();
      await server[Symbol.asyncDispose]();
    });
    expect(interruptions).toBeGreaterThan(COUNT / 10);
  });

  test('CL-32, CL-47: without enough time, what is in doubt is told as uncertain', async () => {
    let uncertain = 0;
    await runSeeds(async (seed) => {
      const { node, server } = await startBreakingServer(breaksOf(seed, 100));
      const user = { user: 'ada', password: 'x', domain: 'shop' };
      const client = new Client({
        server: server.url,
        ...user,
        transport: 'session',
        requestTimeoutMs: 250,
      });
      const end = await endOf(client.execute('CREATE a'));
      if (end.error instanceof UncertainError) uncertain += 1;
      expectTruth(node, 'CREATE a', end, node.effects.length);
      await client.close();
      await server[Symbol.asyncDispose]();
    });
    expect(uncertain).toBeGreaterThan(0);
  });
});
