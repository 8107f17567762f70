import type {
  DataPlane,
  SubscriptionEvent,
  SubscriptionReader,
  SubscriptionRequest,
} from '@nervix/runtime/data-plane';
import type { ReadReply, RowsStream } from '../control-plane.js';
import { refusedRead } from './refused-read.js';

/** A live view that holds its events back until its reader is ready for the first. */
export interface OpenedView {
  readonly stream: RowsStream;
  /** Lets the events go to the reader. */
  begin(): void;
}

/** Opens a view of a relay in the data plane. */
export async function openView(
  dataPlane: Pick<DataPlane, 'openSubscription'>,
  request: SubscriptionRequest,
  read: SubscriptionReader,
): Promise<ReadReply<OpenedView>> {
  const begun = Promise.withResolvers<void>();
  const held = (event: SubscriptionEvent): Promise<void> => begun.promise.then(() => read(event));
  try {
    const stream = await dataPlane.openSubscription(request, held);
    return { kind: 'found', value: { stream, begin: begun.resolve } };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return refusedRead('INTERNAL', `failed to subscribe to relay '${request.relay}': ${reason}`);
  }
}
