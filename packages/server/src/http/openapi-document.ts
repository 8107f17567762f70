import {
  API_PATHS,
  ERROR_CODES,
  type ReferenceConflict,
  UPLOAD_IDENTITY,
  type WireDisposition,
} from '@nervix/protocol';
import {
  commandQuerySchema,
  commandRequestSchema,
  inspectionQuerySchema,
  type JsonSchema,
  rowsQuerySchema,
  secretQuerySchema,
} from './request-schemas.js';

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };
const wholeNumber = { type: 'integer', minimum: 0 };
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

function object(properties: JsonSchema, ...optional: string[]): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', required, properties };
}

const named = (name: string): JsonSchema => ({
  name,
  in: 'path',
  required: true,
  schema: text,
});

function json(description: string, schema: JsonSchema): JsonSchema {
  return { description, content: { 'application/json': { schema } } };
}

const answerText = {
  type: 'string',
  description: 'The message, and the places in the NSPL that it speaks of, when that came as text.',
};

const referenceHeader = {
  'Nervix-Execution-Reference': {
    description: 'The reference the command runs under; repeat it to ask for the same outcome.',
    schema: text,
  },
};

/** The answer to a command, which is text for those who send text and accept it. */
function orText(response: JsonSchema): JsonSchema {
  const content = { ...(response['content'] as JsonSchema), 'text/plain': { schema: answerText } };
  return { ...response, content };
}

function withReference(response: JsonSchema): JsonSchema {
  return { ...orText(response), headers: referenceHeader };
}

function queryParameters(schema: JsonSchema): readonly JsonSchema[] {
  return Object.entries(schema['properties'] as JsonSchema).map(([name, parameter]) => ({
    name,
    in: 'query',
    required: false,
    schema: parameter,
  }));
}

const refused = json('Refused or failed; `code` says why.', ref('Error'));
/** Statuses that any request may get, before it is known what it asks for. */
const anyErrors = Object.fromEntries([400, 401, 408, 431, 500, 503].map((code) => [code, refused]));
const readErrors = { ...anyErrors, 404: refused };

const commands = {
  post: {
    operationId: 'execute',
    summary: 'Run NSPL: one statement, or several as the content of one transaction.',
    description:
      'A request whose body is `text/plain` is answered as `text/plain` when its `Accept` names ' +
      'that, with the statuses of the JSON answers.',
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: commandRequestSchema },
        'text/plain': { schema: { type: 'string', description: 'The NSPL itself.' } },
      },
    },
    parameters: queryParameters(commandQuerySchema),
    responses: {
      200: withReference(json('Completed.', ref('CommandOutcome'))),
      202: withReference(
        json('The outcome is not known yet: ask again with the same reference.', {
          oneOf: [ref('CommandOutcome'), ref('Error')],
        }),
      ),
      ...anyErrors,
      401: orText(refused),
      ...Object.fromEntries(
        [400, 403, 404, 409, 410, 412, 413, 415, 422, 500, 503].map((status) => [
          status,
          withReference(refused),
        ]),
      ),
    },
  },
};

const rows = {
  get: {
    operationId: 'streamRows',
    summary: 'Stream the rows of a relay until the client closes the response.',
    parameters: [named('domain'), named('relay'), ...queryParameters(rowsQuerySchema)],
    responses: {
      200: {
        description:
          'Records: first `opened`, then `row`, `lost` and `skipped`; `ended` when the node ends it.',
        content: {
          'application/x-ndjson': { schema: ref('StreamRecord') },
          'text/event-stream': { schema: ref('StreamRecord') },
        },
      },
      ...readErrors,
      422: refused,
    },
  },
};

const upload = {
  put: {
    operationId: 'uploadResource',
    summary: 'Send a tar archive as the next version of a resource.',
    description:
      'The body is a plain tar archive of files and directories, whole, with its size in ' +
      '`Content-Length`. The identity in the path is chosen by the caller: the same archive sent again ' +
      'under it takes no other version, another archive is refused. The answer comes when every live ' +
      'node has installed the version.',
    parameters: [
      named('domain'),
      named('resource'),
      { ...named('upload'), schema: { type: 'string', pattern: UPLOAD_IDENTITY.source } },
    ],
    requestBody: { required: true, content: { 'application/x-tar': { schema: {} } } },
    responses: {
      200: json('Installed on every live node.', ref('ResourceInstalled')),
      202: json('The outcome is not known yet: send the same archive again.', ref('Error')),
      ...anyErrors,
      ...Object.fromEntries([404, 409, 413, 415, 422].map((status) => [status, refused])),
    },
  },
};

const secretResponses = {
  200: { ...json('Done.', ref('CommandOutcome')), headers: referenceHeader },
  202: json('The outcome is not known yet: ask again with the same reference.', ref('Error')),
  ...anyErrors,
  ...Object.fromEntries([404, 409, 410, 413, 415, 422].map((status) => [status, refused])),
};

const secretParameters = [
  named('domain'),
  named('name'),
  ...queryParameters(secretQuerySchema),
  {
    name: 'Nervix-Execution-Reference',
    in: 'header',
    required: false,
    description: 'A UUIDv7: what is sent again under it takes effect once.',
    schema: text,
  },
];

const secret = {
  put: {
    operationId: 'writeSecret',
    summary: 'Make the body the next version of a secret, or of one key of it.',
    description:
      'The body is the value as it stands, UTF-8 text of at most 64 KiB. No answer holds it.',
    parameters: secretParameters,
    requestBody: { required: true, content: { 'application/octet-stream': { schema: {} } } },
    responses: secretResponses,
  },
  delete: {
    operationId: 'removeSecret',
    summary: 'Remove a secret that no model uses, or one key of it.',
    parameters: secretParameters,
    responses: secretResponses,
  },
};

const tickets = {
  post: {
    operationId: 'sellTicket',
    summary: 'Get a ticket that opens one session within a minute.',
    description:
      'For clients that can send no `Authorization` with a WebSocket: `GET /session?ticket=…`.',
    responses: {
      200: json('The ticket.', ref('SessionTicket')),
      ...anyErrors,
      413: refused,
      415: refused,
    },
  },
};

const transactions = {
  get: {
    operationId: 'listTransactions',
    summary: 'List the transactions that are known, finished ones too.',
    responses: { 200: json('The list.', ref('TransactionList')), ...anyErrors },
  },
};

const transaction = {
  get: {
    operationId: 'inspectTransaction',
    summary: 'Read the report of a transaction, whole or of one operation.',
    parameters: [named('transaction'), ...queryParameters(inspectionQuerySchema)],
    responses: {
      200: json('The report.', ref('Inspection')),
      ...anyErrors,
      ...Object.fromEntries([403, 404, 422].map((status) => [status, refused])),
    },
  },
};

function read(operationId: string, summary: string, schema: JsonSchema): JsonSchema {
  const isOfDomain = operationId !== 'listDomains';
  return {
    get: {
      operationId,
      summary,
      ...(isOfDomain ? { parameters: [named('domain')] } : {}),
      responses: { 200: json('The answer.', schema), ...readErrors },
    },
  };
}

const oneProperty = (name: string, schema: JsonSchema): JsonSchema => object({ [name]: schema });

type UnknownCause = Extract<WireDisposition, { readonly t: 'OutcomeUnknown' }>['cause'];
const UNKNOWN_CAUSES: readonly UnknownCause[] = [
  'StillApplying',
  'LeadershipLost',
  'NotYetAuthoritative',
];
const REFERENCE_CONFLICTS: readonly ReferenceConflict[] = [
  'owner',
  'domain',
  'position',
  'content',
];

const schemas = {
  ErrorCode: { type: 'string', enum: Object.keys(ERROR_CODES) },
  Diagnostic: object(
    {
      message: text,
      span: object({ start: wholeNumber, end: wholeNumber }),
      operation: wholeNumber,
      operation_span: object({ start: wholeNumber, end: wholeNumber }),
    },
    'span',
    'operation',
    'operation_span',
  ),
  Disposition: {
    oneOf: [
      object({ t: { const: 'CommandCompleted' }, already_existed: { type: 'boolean' } }),
      object({ t: { const: 'RequestFailed' }, code: ref('ErrorCode') }),
      object({
        t: { const: 'PreviewStale' },
        expected: ref('PreviewIdentity'),
        current: ref('PreviewIdentity'),
      }),
      object({
        t: { const: 'OutcomeUnknown' },
        cause: { type: 'string', enum: UNKNOWN_CAUSES },
      }),
    ],
  },
  PreviewIdentity: object({
    transaction_id: text,
    position: wholeNumber,
    planning_basis: text,
  }),
  Inspection: object(
    {
      transaction: { type: ['object', 'null'] },
      statement: text,
      operation: { type: ['integer', 'null'] },
      report: { type: 'object' },
    },
    'statement',
  ),
  StatementOutcome: object({
    disposition: ref('Disposition'),
    message: text,
    diagnostics: listOf(ref('Diagnostic')),
  }),
  TransactionStatus: object({
    id: text,
    domain: text,
    state: {
      type: 'string',
      enum: ['Open', 'Committing', 'Committed', 'Failed', 'Reverted', 'Expired'],
    },
    accepted_operations: wholeNumber,
    applied_operations: wholeNumber,
  }),
  CommandOutcome: object(
    {
      execution_reference: text,
      origin: { type: 'string', enum: ['Executed', 'Recovered'] },
      disposition: ref('Disposition'),
      message: text,
      diagnostics: listOf(ref('Diagnostic')),
      statements: listOf(ref('StatementOutcome')),
      transaction: ref('TransactionStatus'),
      transaction_admission: object({ operation: wholeNumber, preview: ref('PreviewIdentity') }),
      inspection: ref('Inspection'),
    },
    'statements',
    'transaction',
    'transaction_admission',
    'inspection',
  ),
  Error: oneProperty(
    'error',
    object(
      {
        code: ref('ErrorCode'),
        message: text,
        field: text,
        diagnostics: listOf(ref('Diagnostic')),
        execution_reference: text,
        assigned_version: wholeNumber,
        statements: listOf(ref('StatementOutcome')),
        transaction: ref('TransactionStatus'),
        conflict: { type: 'string', enum: REFERENCE_CONFLICTS },
        expected: ref('PreviewIdentity'),
        current: ref('PreviewIdentity'),
      },
      'field',
      'execution_reference',
      'assigned_version',
      'statements',
      'transaction',
      'conflict',
      'expected',
      'current',
    ),
  ),
  TransactionList: object({
    transactions: listOf({
      allOf: [ref('TransactionStatus'), object({ owner: text, created_at: text, active_at: text })],
    }),
  }),
  SessionTicket: object({ ticket: text }),
  SecretList: oneProperty(
    'secrets',
    listOf(
      object({
        name: text,
        key: { type: ['string', 'null'] },
        version: wholeNumber,
        provider: { type: 'string', enum: ['store', 'resource', 'file', 'env'] },
        used_by: listOf(text),
      }),
    ),
  ),
  ResourceInstalled: object({
    upload_identity: text,
    version: wholeNumber,
    origin: { type: 'string', enum: ['Executed', 'Recovered'] },
    message: text,
  }),
  Domain: object({
    domain: text,
    status: { type: 'string', enum: ['Stopped', 'Running', 'Paused'] },
    pace: object({ t: { const: 'Unpaced' } }),
    generation: wholeNumber,
  }),
  Graph: object({
    domain: text,
    nodes: listOf(
      object(
        {
          id: text,
          label: text,
          kind: { type: 'string', enum: ['CLIENT', 'INGESTOR', 'PROCESSOR', 'EMITTER', 'RELAY'] },
          subtype: text,
          schema: text,
          status: { type: 'string', enum: ['OK', 'WAITING', 'ERROR'] },
          status_detail: text,
        },
        'schema',
        'status_detail',
      ),
    ),
    edges: listOf(
      object({
        source: text,
        target: text,
        kind: { type: 'string', enum: ['DATA', 'MESSAGE_ERROR'] },
      }),
    ),
  }),
  StreamRecord: {
    oneOf: [
      oneProperty('opened', { type: 'object' }),
      object({ row: { type: 'object' }, key: { type: 'object' } }, 'key'),
      oneProperty('lost', wholeNumber),
      oneProperty('skipped', object({ cause: text, rows: wholeNumber, message: text })),
      oneProperty('ended', object({ reason: text, message: text })),
    ],
  },
};

const domain = `${API_PATHS.domains}/{domain}`;
const entity = object({ kind: text, name: text, latest_version: wholeNumber }, 'latest_version');

/** The OpenAPI description of the session listener; a test holds it against the routes. */
export const openApiDocument: JsonSchema = {
  openapi: '3.1.0',
  info: { title: 'Nervix', version: '1', description: 'HTTP API of a node.' },
  security: [{ basic: [] }],
  paths: {
    [API_PATHS.commands]: commands,
    [API_PATHS.tickets]: tickets,
    [API_PATHS.transactions]: transactions,
    [`${API_PATHS.transactions}/{transaction}`]: transaction,
    [API_PATHS.domains]: read(
      'listDomains',
      'List the domains.',
      oneProperty('domains', listOf(ref('Domain'))),
    ),
    [domain]: read('readDomain', 'Read one domain.', ref('Domain')),
    [`${domain}/entities`]: read(
      'listEntities',
      'List the models and resources of a domain.',
      oneProperty('entities', listOf(entity)),
    ),
    [`${domain}/graph`]: read('readGraph', 'Read the graph of a domain.', ref('Graph')),
    [`${domain}/relays/{relay}/rows`]: rows,
    [`${domain}/resources/{resource}/uploads/{upload}`]: upload,
    [`${domain}/secrets`]: read(
      'listSecrets',
      'List the secrets of a domain with their current versions, without values.',
      ref('SecretList'),
    ),
    [`${domain}/secrets/{name}`]: secret,
    [API_PATHS.schema]: {
      get: {
        operationId: 'describeSessions',
        summary: 'The schema of the frames of sessions.',
        responses: { 200: json('The schema.', { type: 'object' }), ...anyErrors },
      },
    },
    '/api/v1/openapi.json': {
      get: {
        operationId: 'describe',
        summary: 'This description.',
        responses: { 200: json('The description.', { type: 'object' }), ...anyErrors },
      },
    },
  },
  components: {
    securitySchemes: { basic: { type: 'http', scheme: 'basic' } },
    schemas,
  },
};
