const singleNode = 'this release runs the single-node profile only';
const without = (what: string): string => `${what} not in this release`;

/** Families of known flags that this release refuses, by pattern of the name. */
const families: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /^(interconnect-|dns-|allow-bootstrap$|cluster-bootstrap-host$|node-unavailability-timeout$)/,
    singleNode,
  ],
  [
    /^(replica-count|state-replication-interval|raft-(heartbeat|election|retained)-.*)$/,
    singleNode,
  ],
  [/^(authority|authority-url|authority-credentials-file|inventory-repair-interval)$/, singleNode],
  [
    /^(session|grpc)-advertise-addr$|^(evidence-|node-os-headroom$|ack-alive-interval$)/,
    singleNode,
  ],
  [/^(session|grpc|web-console)-(https|tls)-/, without('TLS is')],
  [/^(session|grpc)-mode$/, without('TLS is')],
  [/^web-console-/, without('the web console is')],
  [/^otel-/, without('export of traces is')],
  [/^audit-sink$/, without('the audit log is')],
  [/^default-role$/, without('roles and rights are')],
  [/^temp-dir$/, 'everything temporary lies in the folder of --db-path'],
  [/^restore-/, without('backup and restore are')],
  [/^wasm-/, without('WASM processors are')],
  [/^reconnect-backoff-/, without('connectors that reconnect are')],
  [/^state-snapshot-interval$/, without('stored state of processors is')],
];

/** Why a flag is refused whose subject this release lacks; undefined for any other name. */
export function unavailableReason(name: string): string | undefined {
  return families.find(([pattern]) => pattern.test(name))?.[1];
}
