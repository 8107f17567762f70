import { nameInUse } from './hello.ts';
import type { PeerLink } from './peer-link.ts';
import type { PeerIdentity } from './transport.ts';

/**
 * Why a process may not come in beside this one and those that are linked with it, or `undefined`.
 * The text names the remedy. Stores are used by one process at a time, whose processes follow each
 * other, and names of living members by nobody else.
 */
export function processRefusal(
  process: PeerIdentity,
  own: PeerIdentity,
  links: Iterable<PeerLink>,
): string | undefined {
  let isMember = false;
  let namesake: string | undefined;
  for (const link of links) {
    const refusal = storeRefusal(process, link);
    if (refusal !== undefined) return refusal;
    if (link.id.nodeId !== process.nodeId) continue;
    if (link.id.storeId === process.storeId) isMember = link.isPeer;
    else namesake ??= namesakeRefusal(link);
  }
  if (isMember) return undefined;
  return process.nodeId === own.nodeId ? nameInUse(own) : namesake;
}

/** Why nobody else may use the name at the other end of the link, if that is a living member. */
export function namesakeRefusal({ id, endpoint, isPeer, isLive }: PeerLink): string | undefined {
  if (!isPeer || !isLive) return undefined;
  return nameInUse({ nodeId: id.nodeId, endpoint: endpoint ?? '' });
}

function storeRefusal(process: PeerIdentity, link: PeerLink): string | undefined {
  const known = link.identity;
  if (known === undefined || known.storeId !== process.storeId) return undefined;
  if (known.epoch === process.epoch && known.nodeId === process.nodeId) return undefined;
  if (link.isLive) {
    return (
      `storeInUse: another process uses the store of node '${known.nodeId}';` +
      ' stop one of them and recreate its stored state'
    );
  }
  if (process.incarnation >= known.incarnation) return undefined;
  return (
    `node '${process.nodeId}' is an earlier process of its store;` +
    ' start it anew, with a clock that is right'
  );
}
