import type { PeerIdentity } from '../../src/index.ts';
import { FIRST_LEVELS } from '../../src/raft/feature-levels.ts';
import { SilentTransport } from './silent-transport.ts';

/** A transport that is told who is there. */
export class ToldTransport extends SilentTransport {
  peers: readonly PeerIdentity[] = [];
  asked = 0;

  override connectedPeers(): readonly PeerIdentity[] {
    this.asked += 1;
    return this.peers;
  }
}

/** A process of the node `n2`. */
export function runOf(incarnation: bigint): PeerIdentity {
  return {
    clusterId: 'c1',
    clusterUid: undefined,
    nodeId: 'n2',
    storeId: 'ab'.repeat(16),
    epoch: incarnation.toString(16).padStart(32, '0'),
    incarnation,
    endpoint: '127.0.0.1:2',
    levels: FIRST_LEVELS,
    level: undefined,
  };
}
