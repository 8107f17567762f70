import type { VersionFolder } from '../store/version-folder.js';
import type { ReplicaOffer, ReplicaPeer, ReplicaReport, ReplicaTransfer } from './replica-peer.js';

/**
 * Sends an installed archive to a node, as fast as the node takes it.
 *
 * @throws Error when the node does not answer, or the archive cannot be read here
 */
export async function sendArchive(
  folder: VersionFolder,
  peer: ReplicaPeer,
  offer: ReplicaOffer,
): Promise<ReplicaReport> {
  const transfer = await peer.begin(offer);
  try {
    await sendChunks(folder.archive(), transfer);
    return await transfer.finish();
  } catch (error) {
    await transfer.abort().catch(() => undefined);
    throw error;
  }
}

async function sendChunks(
  archive: AsyncIterable<Uint8Array>,
  transfer: ReplicaTransfer,
): Promise<void> {
  let credit = await transfer.credit();
  if (credit === 0) return;
  for await (const chunk of archive) {
    let rest = chunk;
    while (rest.length > 0) {
      if (credit === 0) {
        credit = await transfer.credit();
        if (credit === 0) return;
      }
      const part = rest.subarray(0, credit);
      transfer.send(part);
      credit -= part.length;
      rest = rest.subarray(part.length);
    }
  }
}
