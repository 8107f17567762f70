/** A text that stands nowhere but where it is planted. */
export const CANARY = 'canary4711';

/** Config entries with the canary as a secret, and the client types they are secret for. */
const CONFIGS: readonly (readonly [type: string, key: string, value: string])[] = [
  ...(
    'password sasl.password ssl.key.password token secret access_key_id secret_access_key ' +
    'session_token account_key sas_token client_secret connection_string credentials_json dsn ' +
    'my_passwd signing_key tls.key PassWord'
  )
    .split(' ')
    .map((key) => ['HTTP', key, CANARY] as const),
  ['OTEL', 'headers', `Authorization: ${CANARY}`],
  ['S3', 'secret_access_key', CANARY],
  ['POSTGRES POOL SIZE MIN 0 MAX 4', 'password', CANARY],
  ['WEBSOCKETS WITH SIGNALING PROTOCOL p', 'token', CANARY],
  ['HTTP', 'endpoint', `http://me:${CANARY}@host/x`],
  ['HTTP', 'addr', `http://:${CANARY}@host`],
  ['HTTP', 'uri', `https://${CANARY}@host/1`],
  ['NATS', 'servers', `nats://a:${CANARY}@h1,nats://b:${CANARY}@h2`],
];

/** Statements with the canary in every place for a secret. */
const STATEMENTS: readonly string[] = [
  ...CONFIGS.flatMap(([type, key, value]) =>
    ['CREATE', 'CREATE IF NOT EXISTS'].map(
      (create) => `${create} CLIENT c TYPE ${type} CONFIG {'a' = 'b', '${key}' = '${value}'}`,
    ),
  ),
  `CREATE USER u WITH PASSWORD '${CANARY}'`,
  `CREATE IF NOT EXISTS USER u WITH PASSWORD "${CANARY}"`,
  `ALTER USER u SET PASSWORD $x$it's "${CANARY}"$x$`,
];

/** The same by themselves and in everything that can hold them. */
export const SECRET_STATEMENTS: readonly string[] = STATEMENTS.flatMap((text) => [
  `${text};`,
  `${text} WAIT 5s;`,
  `PLAN ${text};`,
  `EXPLAIN FORMAT JSON ${text};`,
]);
