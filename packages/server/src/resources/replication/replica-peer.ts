import type { ExpectedVersion } from '../store/version-folder.js';

/** An archive that a node is to install. */
export interface ReplicaOffer extends ExpectedVersion {
  readonly archiveBytes: number;
}

/** What an installation came to. */
export type ReplicaReport =
  | {
      readonly kind: 'ready';
      /** Root checksum that the node computed from its own copy. */
      readonly checksum: string;
      /** Unix milliseconds of the node's clock. */
      readonly verifiedAtMs: number;
    }
  /** For good: the node has the bytes and cannot install them. */
  | { readonly kind: 'failed'; readonly error: string };

/**
 * One archive on its way to one node. The receiver says how much it takes: no byte is sent without
 * credit, so what is under way is bounded on both sides.
 */
export interface ReplicaTransfer {
  /**
   * Waits for room at the receiver.
   *
   * @returns bytes that may be sent; 0 when it needs no more, because it has the archive or gave up
   */
  credit(): Promise<number>;
  /** Sends the next bytes, at most as many as there is credit. */
  send(chunk: Uint8Array): void;
  /** Says that everything was sent, and waits for the report. */
  finish(): Promise<ReplicaReport>;
  /** Gives the transfer up; the receiver keeps nothing of it. */
  abort(): Promise<void>;
}

/** A live node, as something to replicate to. A transport rejects when the node does not answer. */
export interface ReplicaPeer {
  readonly node: string;
  /** Begins an installation; of one that is there already it is compared again. */
  begin(offer: ReplicaOffer): Promise<ReplicaTransfer>;
}
