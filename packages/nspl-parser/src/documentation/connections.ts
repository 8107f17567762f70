import { CONFIG, RESOURCE_VERSION, SIGNALING } from './connector-clauses.js';
import { clause, type StatementEntry } from './entry.js';
import { IF_NOT_EXISTS } from './graph-clauses.js';
import { type StatementDraft, statement, uses } from './statement-entry.js';

const entry = (title: string, draft: StatementDraft): StatementEntry =>
  statement('Connections', title, draft);

/** Where the outside world is: clients that connect, hosts and endpoints that are connected to. */
export const CONNECTION_STATEMENTS: readonly StatementEntry[] = [
  entry('CREATE CLIENT', {
    summary:
      'Describes how to connect to an external system. Ingestors and emitters name the client they use.',
    clauses: [
      uses(IF_NOT_EXISTS),
      clause(
        'TYPE',
        '`KAFKA`, `PULSAR`, `HTTP`, `SENTRY`, `OTEL`, `PROMETHEUS`, `RABBITMQ`, `MQTT`, `NATS`, `ZEROMQ`, ' +
          '`SQS`, `S3`, `GCS`, `AZURE_BLOB`, `ICEBERG_REST`, `SYSLOG`, `CLICKHOUSE`, `WEBSOCKETS`, ' +
          '`REDIS`, `POSTGRES`, `MYSQL` or `MONGODB`.',
      ),
      uses(SIGNALING, 'no handshake; of `WEBSOCKETS` only'),
      clause(
        'POOL SIZE',
        'Least and most connections to keep: `MIN a MAX b`. Has to stand for `REDIS`, `POSTGRES`, ' +
          '`MYSQL` and `MONGODB`, and only for these.',
      ),
      clause(
        'MOUNT',
        'Makes the files of a resource version available to settings: `{{ certs }}` is its folder.',
        'no files',
      ),
      uses(RESOURCE_VERSION),
      uses(CONFIG),
    ],
    notes: [
      'Settings are checked when something uses the client, not when it is created.',
      'There is no `ALTER CLIENT`: drop and recreate it in one transaction.',
    ],
    examples: [
      "CREATE CLIENT desk TYPE HTTP CONFIG {'endpoint' = 'http://localhost:9000'};",
      `CREATE CLIENT warehouse
  TYPE POSTGRES
  POOL SIZE MIN 1 MAX 8
  MOUNT certs VERSION LATEST
  CONFIG {
    'addr' = SECRET 'warehouse_login' KEY 'url',
    'tls_ca_file' = '{{ certs }}/ca.pem'
  };`,
      `CREATE CLIENT ticker
  TYPE WEBSOCKETS WITH SIGNALING PROTOCOL subscribe_ticker
  CONFIG {'endpoint' = 'wss://stream.example.com/v1'};`,
    ],
    seeAlso: ['create-ingestor', 'create-emitter', 'create-signaling-protocol', 'show-secrets'],
  }),
  entry('CREATE VHOST', {
    summary: 'Declares host names under which endpoints are reached.',
    clauses: [
      uses(IF_NOT_EXISTS),
      clause(
        'WITH TLS',
        'Serves them over TLS, on the HTTPS listener alone, with `tls.crt`, `tls.key` and `ca.crt` of the ' +
          'named resource.',
        'they are served without TLS',
      ),
      uses(RESOURCE_VERSION),
    ],
    notes: ['A host name belongs to one vhost; letter case makes no difference.'],
    examples: [
      'CREATE VHOST here localhost;',
      'CREATE VHOST public trips.example.com, api-2.example.com WITH TLS certs VERSION LATEST;',
    ],
    seeAlso: ['create-endpoint', 'rebind-resource'],
  }),
  entry('CREATE ENDPOINT', {
    summary: 'Opens a path of a vhost to incoming HTTP requests or WebSocket connections.',
    clauses: [
      uses(IF_NOT_EXISTS),
      clause('ON', 'The vhost.'),
      clause('PATH', 'The exact path, beginning with `/`.'),
      clause('TYPE', '`HTTP` or `WEBSOCKETS`.'),
      uses(SIGNALING, 'no handshake; of `WEBSOCKETS` only'),
    ],
    notes: ['An endpoint answers 503 until an ingestor reads it and the domain runs.'],
    examples: [
      "CREATE ENDPOINT readings ON here PATH '/readings' TYPE HTTP;",
      `CREATE ENDPOINT live ON public PATH '/live' TYPE WEBSOCKETS
  WITH SIGNALING PROTOCOL hello;`,
    ],
    seeAlso: ['create-vhost', 'create-ingestor', 'create-signaling-protocol'],
  }),
  entry('CREATE SIGNALING PROTOCOL', {
    summary:
      'Declares the handshake on a new WebSocket connection: what to send and what to wait for before ' +
      'frames count as payloads.',
    clauses: [
      uses(IF_NOT_EXISTS),
      clause(
        'FORMAT',
        'How frames of the handshake are read and written: `JSON`, `YAML`, `TOML`, `XML`, `CBOR`, `RAW` ' +
          'or `PROTOBUF`.',
      ),
      clause('USING RESOURCE', 'The resource with the descriptors of `PROTOBUF`.'),
      uses(RESOURCE_VERSION),
      uses(CONFIG),
      clause('SEND MESSAGE', 'Message type of what is sent, with `PROTOBUF`.'),
      clause('WAIT MESSAGE', 'Message type of what is waited for, with `PROTOBUF`.'),
      clause(
        'FAIL JAQ',
        'Gives up as soon as one of these programs accepts a frame. Before `ON CONNECT` it holds for the ' +
          'whole handshake, behind a `WAIT JAQ` for that step.',
        'nothing ends the handshake early',
      ),
      clause('ON CONNECT', 'Introduces the steps, at least one.'),
      clause('SEND JAQ', 'Sends what each program yields; `$state` holds what was captured.'),
      clause('WAIT JAQ', 'Waits until each program has accepted a frame, in any order.'),
      clause(
        'CAPTURE',
        'Adds what a program yields to `$state`; with a single matcher.',
        'keeps nothing',
      ),
      clause(
        'ACCEPT DATA',
        'From here on other frames are payloads.',
        'other frames are dropped until the handshake is over',
      ),
      clause('TIMEOUT', 'Time for the whole handshake.'),
    ],
    notes: ['Steps run in written order.'],
    examples: [
      `CREATE SIGNALING PROTOCOL hello FORMAT JSON
  ON CONNECT SEND JAQ '{hello: "nervix"}' TIMEOUT 5s;`,
      `CREATE SIGNALING PROTOCOL subscribe_ticker FORMAT JSON
  FAIL JAQ '.error'
  ON CONNECT
    WAIT JAQ 'select(.type == "welcome")' CAPTURE '{session: .id}'
    SEND JAQ '{subscribe: "trades", session: $state.session}'
    WAIT JAQ 'select(.type == "subscribed")' FAIL JAQ '.denied' ACCEPT DATA
  TIMEOUT 10s;`,
    ],
    seeAlso: ['create-client', 'create-endpoint'],
  }),
];
