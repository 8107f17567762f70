import { describe, expect, test } from 'vitest';
import { InvariantError } from '../../src/assert.ts';
import { RaftError } from '../../src/errors.ts';
import { WriteLatch } from '../../src/storage/write-latch.ts';
import { expectRaftError } from '../support/log-storage-suite.ts';

const corruption = new RaftError('RAFT_STORAGE_CORRUPT', {
  directory: 'd',
  location: 'key 30',
  problem: 'checksum differs',
});
const unreadable = new RaftError('RAFT_STORAGE_UNAVAILABLE', { directory: 'd' });
const defect = new InvariantError('something holds');
const ioError = new Error('input/output error');

const failWith = (error: Error) => (): Promise<never> => Promise.reject(error);

async function failureOf(work: (latch: WriteLatch) => Promise<void>): Promise<[Error, WriteLatch]> {
  const latch = new WriteLatch();
  const failure = await latch
    .exclusively(() => work(latch))
    .then(
      () => new Error('it was written'),
      (error: Error) => error,
    );
  return [failure, latch];
}

describe('CS-77 CS-84 a write that fails', () => {
  test.each([
    ['corruption', corruption],
    ['a defect', defect],
  ])('before anything is committed because of %s is told as that', async (_, error) => {
    expect((await failureOf(failWith(error)))[0]).toBe(error);
    const [behind] = await failureOf(async (latch) => {
      latch.commitBegins();
      latch.commitEnds();
      throw error;
    });
    expect(behind).toBe(error);
  });

  test.each([
    ['a failed read', unreadable],
    ['another error', ioError],
  ])('before anything is committed because of %s has no effect for certain', async (_, error) => {
    const [failure] = await failureOf(failWith(error));
    expect(failure).toMatchObject({
      code: 'RAFT_STORAGE_FAILED',
      details: { isUncertain: false },
      retryable: false,
      cause: error,
    });
  });

  test.each([corruption, defect, unreadable, ioError])(
    'in its commit is uncertain: %s',
    async (error) => {
      const [failure] = await failureOf((latch) => {
        latch.commitBegins();
        return failWith(error)();
      });
      expect(failure).toMatchObject({
        code: 'RAFT_STORAGE_FAILED',
        details: { isUncertain: true },
        cause: error,
      });
    },
  );

  test.each([corruption, defect, unreadable, ioError])(
    'latches the store, whatever it was: %s',
    async (error) => {
      const [failure, latch] = await failureOf(failWith(error));
      expect(latch.isLatched).toBe(true);
      let isBegun = false;
      const later = latch.exclusively(async () => {
        isBegun = true;
      });
      const refusal = await expectRaftError(later, 'RAFT_STORAGE_FAILED');
      expect(refusal).toMatchObject({ details: { isUncertain: false }, cause: failure });
      expect(isBegun).toBe(false);
    },
  );
});

test('a write is settled when it has ended, whether or not it failed', async () => {
  const latch = new WriteLatch();
  await latch.settled();
  const { promise, reject } = Promise.withResolvers<void>();
  const order: string[] = [];
  const working = latch.exclusively(() => promise).catch(() => order.push('failed'));
  const settled = latch.settled().then(() => order.push('settled'));
  reject(ioError);
  await Promise.all([working, settled]);
  expect(order.toSorted()).toEqual(['failed', 'settled']);
});
