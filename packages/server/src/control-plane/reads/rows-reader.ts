import { InvariantError } from '@nervix/model';
import type { StreamEnded, StreamLost, StreamSkipped } from '@nervix/protocol';
import type { SubscriptionEvent, SubscriptionReader } from '@nervix/runtime/data-plane';
import type { RowsSink } from '../control-plane.js';
import { recordLine, rowRecords } from './row-lines.js';

/** Feeds the events of a subscription to a row stream; its pace becomes the subscription's. */
export function rowsReader(domain: string, relay: string, sink: RowsSink): SubscriptionReader {
  return (event: SubscriptionEvent): Promise<void> | undefined => {
    switch (event.kind) {
      case 'rows':
        return sink.write(rowRecords(event.lines, event.rowCount, event.branchKey));
      case 'cells':
        throw new InvariantError('a row stream asks for lines');
      case 'lost': {
        const record: StreamLost = { lost: event.rowCount };
        return sink.write(recordLine(record));
      }
      case 'skipped': {
        const message = `session subscription predicate failed on ${event.rowCount} row(s)`;
        const record: StreamSkipped = {
          skipped: { cause: 'FilterFailed', rows: event.rowCount, message },
        };
        return sink.write(recordLine(record));
      }
      case 'ended': {
        const record = endedRecord(event.reason, domain, relay);
        return sink.write(recordLine(record)).then(() => sink.end());
      }
    }
  };
}

function endedRecord(
  reason: 'relay_changed' | 'relay_removed',
  domain: string,
  relay: string,
): StreamEnded {
  return reason === 'relay_changed'
    ? {
        ended: {
          reason: 'RelayChanged',
          message:
            `the subscription was dropped because relay '${relay}' in domain '${domain}' was ` +
            'rebuilt after a schema or execution change; recreate it against the current schema',
        },
      }
    : {
        ended: {
          reason: 'RelayRemoved',
          message: `relay '${relay}' in domain '${domain}' does not exist any more`,
        },
      };
}
