/** Transports whose payloads carry headers, as statements spell them in capitals. */
const HEADER_TRANSPORTS: ReadonlySet<string> = new Set([
  'HTTP',
  'KAFKA',
  'NATS',
  'PULSAR',
  'RABBITMQ',
  'SQS',
]);

/** Whether what comes from a source has headers to read. */
export function isHeaderSource(transport: string): boolean {
  const word = transport.toUpperCase();
  return word === 'ENDPOINT' || HEADER_TRANSPORTS.has(word);
}

/** Whether what goes to a sink takes headers. */
export function isHeaderSink(transport: string): boolean {
  return HEADER_TRANSPORTS.has(transport.toUpperCase());
}
