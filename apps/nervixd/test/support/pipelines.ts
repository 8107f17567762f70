const EVENT: readonly string[] = [
  'CREATE SCHEMA event (id I64, tenant STRING, amount I32 OPTIONAL);',
  `CREATE WIRE JSON SCHEMA event_json MODE STRICT (
    id INTEGER, tenant STRING, amount INTEGER OPTIONAL
  );`,
  'CREATE CODEC event_codec FROM WIRE JSON SCHEMA event_json TO SCHEMA event;',
  'CREATE RELAY events SCHEMA event UNBRANCHED CAPACITY 64;',
  'CREATE VHOST event_host localhost, 127.0.0.1;',
  "CREATE ENDPOINT event_endpoint ON event_host PATH '/events' TYPE HTTP;",
];

/** Takes events over HTTP into the relay `events`; what is below id 0 is filtered out. */
export const INTAKE: readonly string[] = [
  ...EVENT,
  `CREATE INGESTOR events_in
    FROM ENDPOINT event_endpoint MODE NO_ACK SEQUENTIAL ON QUIESCE REJECT RETRY AFTER 1s
    DECODE USING event_codec
    TIMESTAMP NOW
    FILTER WHERE input.id >= 0 AS I64
    TO events INHERIT ALL UNBRANCHED FLUSH EACH 20ms MAX BATCH SIZE 64KiB ON MESSAGE ERROR LOG
    ON DECODE ERROR LOG
    ON GENERAL ERROR LOG;`,
];

/** The same, with every event sent on to an HTTP server. */
export function delivery(origin: string): readonly string[] {
  return [
    ...INTAKE,
    `CREATE CLIENT sink TYPE HTTP CONFIG { 'endpoint' = '${origin}', 'timeout_ms' = 5000 };`,
    `CREATE EMITTER events_out
      FROM events
      TO HTTP sink METHOD 'POST' PATH '/' MODE ACK RETRY POLICY BACKOFF 50ms MAX 1s
      ENCODE USING event_codec
      INHERIT ALL
      FLUSH IMMEDIATE
      ON MESSAGE ERROR LOG
      ON GENERAL ERROR LOG;`,
  ];
}
