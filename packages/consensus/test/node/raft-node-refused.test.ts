import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type ClusterOptions,
  RaftError,
  RaftNode,
  type RaftNodeOptions,
  type WriteInterceptor,
} from '../../src/index.ts';
import { LedgerMachine } from '../support/ledger-machine.ts';
import { expectRaftError } from '../support/log-storage-suite.ts';
import { SilentTransport } from '../support/silent-transport.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const refusal = new RaftError('RAFT_CREDENTIALS_INVALID', { problem: 'it has expired' });

function refuse(): never {
  throw refusal;
}

class RefusesToListen extends SilentTransport {
  override listen = async (): Promise<string> => refuse();
}

class RefusesToStart extends SilentTransport {
  override start = refuse;
}

class RefusesContacts extends SilentTransport {
  override setContacts = refuse;
}

class RefusesPeers extends SilentTransport {
  override setPeers = refuse;
}

const failingFrom = (from: number): WriteInterceptor => {
  let appends = 0;
  return async (points, commit) => {
    if (points.includes('append')) appends += 1;
    if (appends >= from) throw new Error('input/output error');
    await commit();
  };
};

function optionsOf(cluster?: ClusterOptions, intercept?: WriteInterceptor): RaftNodeOptions {
  const directory = path.join(temporaryDirectory(), 'consensus');
  const stateMachine = new LedgerMachine();
  return { directory, clusterId: 'c1', nodeId: 'n1', stateMachine, cluster, intercept };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

test.each([
  ['does not listen', new RefusesToListen()],
  ['does not start', new RefusesToStart()],
  ['takes no contacts', new RefusesContacts()],
  ['takes no peers', new RefusesPeers()],
])('CS-146 a node whose transport %s leaves nothing behind', async (_, transport) => {
  const options = optionsOf({ transport, bootstrap: true });
  await expectRaftError(RaftNode.open(options), 'RAFT_CREDENTIALS_INVALID');
  expect(vi.getTimerCount()).toBe(0);
  expect(transport.isClosed).toBe(true);
  // The store is free again.
  const again = await RaftNode.open({ ...options, cluster: undefined });
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  await again.close();
  expect(vi.getTimerCount()).toBe(0);
});

test.each([1, 2])('CS-77 a node whose write %i with entries fails does not open', async (from) => {
  const transport = new SilentTransport();
  const options = optionsOf({ transport, bootstrap: true }, failingFrom(from));
  await expectRaftError(RaftNode.open(options), 'RAFT_STORAGE_FAILED');
  expect(vi.getTimerCount()).toBe(0);
  expect(transport.isClosed).toBe(true);
  const again = await RaftNode.open({ ...options, cluster: undefined, intercept: undefined });
  await again.close();
  expect(vi.getTimerCount()).toBe(0);
});
