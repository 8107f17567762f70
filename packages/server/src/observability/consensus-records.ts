import type { NodeEvent, ReplicaEvent } from '@nervix/consensus';
import type { Logger } from '../logging/logger.js';

/** Tells the log of the node what the log of commands tells of. Never payloads or secrets. */
export class ConsensusRecords {
  readonly #logger: Logger;
  #leader: string | undefined;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  observe(event: ReplicaEvent | NodeEvent): void {
    const logger = this.#logger;
    switch (event.kind) {
      case 'softState':
        this.#led(event.softState.leader?.nodeId, event.softState.term);
        break;
      case 'membership':
        logger.info('raft membership updated', { step: event.step, member: event.nodeId });
        break;
      case 'membershipFailed':
        logger.warn('raft membership reconciliation failed', { member: event.nodeId }, event.error);
        break;
      case 'snapshot':
        logger.info('raft snapshot', { phase: event.phase });
        break;
      case 'purged':
        logger.debug('raft log purged', { through: event.through });
        break;
      case 'refused':
        logger.warn('member refused', { member: event.peer.nodeId, reason: event.reason });
        break;
      case 'stateDivergence':
        logger.error('state divergence', { member: event.member.nodeId, index: event.index });
        break;
      case 'memberLostEntries':
        logger.error(`member '${event.member.nodeId}' lost durable log entries`, {
          through: event.match,
        });
        break;
      case 'diskSpace':
        this.#spaceChanged(event);
        break;
      case 'warning':
        logger.warn(event.text);
        break;
      case 'campaignFailed':
      case 'steppedDown':
        logger.debug('raft role', { event: event.kind, term: event.term, reason: event.reason });
        break;
      default:
    }
  }

  #led(leader: string | undefined, term: bigint): void {
    if (leader === this.#leader || leader === undefined) return;
    this.#leader = leader;
    this.#logger.info('raft leader changed', { leader, term });
  }

  #spaceChanged({
    isLow,
    freeBytes,
  }: {
    readonly isLow: boolean;
    readonly freeBytes: number;
  }): void {
    if (isLow) this.#logger.warn('consensus storage is low on disk space', { freeBytes });
    else this.#logger.info('consensus storage has disk space again', { freeBytes });
  }
}
