const singleNode = 'this release runs the single-node profile only';

/** Families of known flags that this release refuses, by pattern of the name. */
const families: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    /^(interconnect-|dns-|allow-bootstrap$|cluster-bootstrap-host$|node-unavailability-timeout$)/,
    singleNode,
  ],
  [
    /^(replica-count|state-replication-interval|raft-(heartbeat|election|retained)-.*|default-role)$/,
    singleNode,
  ],
  [/^(authority|authority-url|authority-credentials-file|inventory-repair-interval)$/, singleNode],
  [/^(session-https-|session-tls-|https-listen-addr$|web-console-tls-)/, `${singleNode}, no TLS`],
  [/^session-(mode|advertise-addr|compression|keepalive|frame-limit|transfer-limit)$/, singleNode],
  [/^grpc-(mode|advertise-addr|https-listen-addr|https-advertise-addr)$/, singleNode],
  [/^web-console-/, `${singleNode}, no web console`],
  [/^otel-/, `${singleNode}, no OTLP export`],
  [/^(secret-|audit-sink$)/, `${singleNode}, no secret store`],
  [/^(memory-|node-os-headroom$|evidence-|temp-dir$|resource-max-|restore-)/, singleNode],
  [/^(ack-alive-interval$|wasm-|reconnect-backoff-|state-snapshot-interval$)/, singleNode],
];

/** Why a flag that a larger installation has is refused here; undefined for any other name. */
export function unavailableReason(name: string): string | undefined {
  return families.find(([pattern]) => pattern.test(name))?.[1];
}
