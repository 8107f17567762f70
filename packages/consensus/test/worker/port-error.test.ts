import { describe, expect, test } from 'vitest';
import { RaftError } from '../../src/errors.ts';
import {
  fromPortError,
  fromPortEvent,
  toPortError,
  toPortEvent,
} from '../../src/worker/port-error.ts';

/** What arrives in another thread. */
const crossed = (error: unknown) => fromPortError(structuredClone(toPortError(error)));

describe('an error that crosses threads', () => {
  test('keeps code, details, retry class and the whole chain of causes', () => {
    const root = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    const middle = new RaftError('RAFT_STORAGE_FAILED', { isUncertain: true }, { cause: root });
    const error = crossed(new RaftError('RAFT_APPLY_FAILED', { index: 7n }, { cause: middle }));
    expect(error).toBeInstanceOf(RaftError);
    expect(error).toMatchObject({
      code: 'RAFT_APPLY_FAILED',
      details: { index: 7n },
      retryable: false,
      message: 'the state machine failed on entry 7; restart the node to recover',
      cause: {
        code: 'RAFT_STORAGE_FAILED',
        details: { isUncertain: true },
        cause: { code: 'ENOSPC', message: 'no space left on device', cause: undefined },
      },
    });
  });

  test('keeps name, message, code and stack of any other error', () => {
    const error = Object.assign(new TypeError('not a number'), { code: 'ERR_X' });
    const there = crossed(error);
    expect(there).toMatchObject({ name: 'TypeError', message: 'not a number', code: 'ERR_X' });
    expect(there.stack).toBe(error.stack);
    expect('code' in crossed(new Error('plain'))).toBe(false);
  });

  test('is an error even when something else was thrown', () => {
    for (const thrown of ['text', 42, undefined, null]) {
      expect(crossed(thrown)).toMatchObject({ name: 'Error', message: String(thrown) });
    }
  });

  test('with a code of another build is a plain error with that code', () => {
    const unknown = { ...toPortError(new RaftError('RAFT_CLOSED', {})), code: 'RAFT_NEWER' };
    const there = fromPortError(unknown);
    expect(there).not.toBeInstanceOf(RaftError);
    expect(there).toMatchObject({ name: 'RaftError', code: 'RAFT_NEWER' });
  });

  test('is taken apart inside of an event too', () => {
    const error = new RaftError('RAFT_CHANGE_PENDING', {});
    const event = { kind: 'membershipFailed', nodeId: 'n2', error } as const;
    expect(fromPortEvent(structuredClone(toPortEvent(event)))).toMatchObject({
      kind: 'membershipFailed',
      nodeId: 'n2',
      error: { code: 'RAFT_CHANGE_PENDING' },
    });
    const other = { kind: 'purged', through: 9n } as const;
    expect(fromPortEvent(toPortEvent(other))).toBe(other);
  });
});
