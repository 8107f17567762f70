import type { EndpointMode, IngestSource, QuiesceMode } from '@nervix/model';

/** What follows FROM in an ingestor, its mode and ON QUIESCE included. */
export function printSource(source: IngestSource): string {
  if (source.kind !== 'endpoint') throw new RangeError(`no text for ${source.kind} sources`);
  const { endpoint, mode, quiesce } = source;
  return `ENDPOINT ${endpoint} MODE ${printMode(mode)} ON QUIESCE ${printQuiesce(quiesce)}`;
}

function printMode(mode: EndpointMode): string {
  if (mode.kind === 'no_ack_sequential') return 'NO_ACK SEQUENTIAL';
  return `ACK PARALLEL MAX ${mode.max} ACK TIMEOUT ${mode.ackTimeout}`;
}

/** What follows ON QUIESCE. */
export function printQuiesce(quiesce: QuiesceMode): string {
  switch (quiesce.kind) {
    case 'reject':
      return `REJECT RETRY AFTER ${quiesce.retryAfter}`;
    case 'buffer': {
      const overflow = quiesce.overflow === null ? '' : ` ON OVERFLOW DROP ${quiesce.overflow}`;
      return `BUFFER MAX SIZE ${quiesce.maxSize}${overflow}`;
    }
    default:
      return quiesce.kind.toUpperCase();
  }
}
