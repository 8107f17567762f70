/**
 * Identity of one member. A node name alone is not enough: a node whose disk was replaced keeps
 * its name but has forgotten its votes, so the identity also names the store, which is drawn anew
 * whenever one is created.
 */
export interface MemberId {
  /** Configured name of the node, unique in its cluster. */
  readonly nodeId: string;
  /** Identity of the node's store: 16 bytes as 32 lower-case hexadecimal digits. */
  readonly storeId: string;
}

/** Whether both ids name the same node with the same store. */
export function isSameMember(left: MemberId, right: MemberId): boolean {
  return left.storeId === right.storeId && left.nodeId === right.nodeId;
}

/** The id as a key of maps: two ids have the same key exactly when they name the same member. */
export function memberKey(id: MemberId): string {
  return `${id.storeId}/${id.nodeId}`;
}
