import type { ClientFrame, ReplyBody, ServerBody, ServerFrame } from '../../src/session.ts';

/** A frame of each kind, with what is easily read wrong: absence, zero, 64 bits, bytes. */
export const CLIENT_SAMPLES: Readonly<Record<string, ClientFrame>> = {
  'command with all fields': {
    request_id: 1n,
    request: {
      t: 'CommandRequest',
      query: "CREATE DOMAIN 'ä'; 🜁",
      domain: 'd',
      execution_reference: '019a1f00-0000-7000-8000-000000000001',
      expected_transaction_position: 0n,
      expected_preview: {
        transaction_id: 't1',
        position: 2n ** 63n,
        planning_basis: new Uint8Array(32).fill(7),
      },
      deadline_ns: 5_000_000_000n,
      trace: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    },
  },
  'command with what it needs': {
    request_id: 2n ** 64n - 1n,
    request: { t: 'CommandRequest', query: 'START;', execution_reference: 'a' },
  },
  attach: { request_id: 2n, request: { t: 'AttachTransactionRequest', transaction_id: 't1' } },
  'inspect the attached': {
    request_id: 3n,
    request: { t: 'InspectTransactionRequest', target: { t: 'AttachedTransaction' } },
  },
  'inspect by id': {
    request_id: 4n,
    request: {
      t: 'InspectTransactionRequest',
      target: { t: 'TransactionById', transaction_id: 't1' },
      operation: 1n,
    },
  },
  'read operation': {
    request_id: 5n,
    request: { t: 'ReadOperationRequest', execution_reference: 'a', wait_ms: 0 },
  },
  cancel: { request_id: 6n, request: { t: 'CancelRequest', target_request_id: 1n } },
  'list domains': { request_id: 7n, request: { t: 'ListDomainsRequest' } },
  'select domain': { request_id: 8n, request: { t: 'SelectDomainRequest', domain: 'd' } },
  suggest: {
    request_id: 9n,
    request: {
      t: 'SuggestRequest',
      input: '',
      cursor: 0,
      domain: 'd',
      page_size: 100,
      continuation: '7',
    },
  },
  choices: {
    request_id: 10n,
    request: {
      t: 'ChoiceLookupRequest',
      target: 'relay',
      dependencies: [{ name: 'domain', value: '' }],
      search: '',
      page_size: 1,
      page_cursor: 'x',
    },
  },
  subscribe: {
    request_id: 11n,
    request: {
      t: 'SubscribeRequest',
      domain: 'd',
      statement: 'CREATE SUBSCRIPTION w TO r;',
      subscription_type: 'Row',
      window_frames: 256,
    },
  },
  unsubscribe: {
    request_id: 12n,
    request: { t: 'UnsubscribeRequest', subscription: { name: 'w', generation: 1n } },
  },
  credit: {
    request: {
      t: 'GrantSubscriptionCredit',
      subscription: { name: 'w', generation: 1n },
      frames: 3,
    },
  },
  'attach clock': { request_id: 13n, request: { t: 'AttachDomainClockRequest', domain: 'd' } },
  'detach clock': { request_id: 14n, request: { t: 'DetachDomainClockRequest', domain: 'd' } },
  'open ingestor': {
    request_id: 15n,
    request: {
      t: 'OpenIngestorRequest',
      domain: 'd',
      ingestor: 'i',
      expected_fields: [{ name: 'a', type: 'I64', nullable: false, sensitive: true }],
      encoding: 'Rows',
      max_outstanding_batches: 1_024,
      max_outstanding_bytes: 33_554_432,
    },
  },
  'submit batch': {
    request_id: 16n,
    request: { t: 'SubmitBatchRequest', producer: 15n, batch: Uint8Array.of(0, 255) },
  },
  'close ingestor': { request_id: 17n, request: { t: 'CloseIngestorRequest', producer: 15n } },
  'open emitter': {
    request_id: 18n,
    request: {
      t: 'OpenEmitterRequest',
      domain: 'd',
      emitter: 'e',
      expected_fields: [],
      encoding: 'ArrowIpc',
      max_outstanding_batches: 1,
      max_outstanding_bytes: 1,
    },
  },
  'read batch': { request_id: 19n, request: { t: 'ReadEmitterBatchRequest', consumer: 18n } },
  'settle batch': {
    request_id: 20n,
    request: {
      t: 'SettleEmitterBatchRequest',
      consumer: 18n,
      reference: new Uint8Array(16),
      decision: 'Reject',
      reason: 'no',
    },
  },
  'close emitter': { request_id: 21n, request: { t: 'CloseEmitterRequest', consumer: 18n } },
};

const preview = {
  transaction_id: 't1',
  position: 1n,
  planning_basis: new Uint8Array(32).fill(255),
};
const transaction = {
  id: 't1',
  domain: 'd',
  state: { t: 'Failed', failing_operation: 2n, error: 'the input changed' },
  accepted_operations: 3n,
  applied_operations: 0n,
} as const;
const domain = { domain: 'd', status: 'Running', pace: { t: 'Unpaced' } } as const;
const subscription = { name: 'w', generation: 2n };

const replies: Readonly<Record<string, ReplyBody>> = {
  'command outcome': {
    t: 'CommandOutcome',
    execution_reference: 'a',
    origin: 'Recovered',
    disposition: { t: 'PreviewStale', expected: preview, current: { ...preview, position: 2n } },
    message: '',
    diagnostics: [
      {
        message: 'm',
        hint: 'h',
        span: { start: 0, end: 4_294_967_295 },
        operation: 1n,
        operation_span: { start: 0, end: 0 },
      },
    ],
    statements: [
      {
        disposition: { t: 'CommandCompleted', already_existed: false },
        message: 'm',
        diagnostics: [],
      },
    ],
    transaction,
    transaction_admission: { operation: 1n, preview },
    inspection: { transaction: null, report: { steps: [1, 0.5, -1, true, null, 'x', {}, []] } },
  },
  attached: {
    t: 'AttachOutcome',
    disposition: {
      t: 'TransactionAttached',
      transaction: { ...transaction, state: { t: 'Open' } },
    },
    message: "attached transaction 't1'",
    diagnostics: [],
  },
  redirected: {
    t: 'AttachOutcome',
    disposition: {
      t: 'LeaderRedirect',
      leader: { node: 'n2', session_uri: 'https://n2:47391', console_uri: 'https://n2:47420' },
    },
    message: 'm',
    diagnostics: [],
  },
  inspected: {
    t: 'InspectionOutcome',
    disposition: { t: 'TransactionInspected', transaction, operation: 1n, report: { a: 1 } },
  },
  'inspection rejected': {
    t: 'InspectionOutcome',
    disposition: { t: 'InspectionRejected', reason: 'NotOwner', message: 'm' },
  },
  'cancel outcome': { t: 'CancelOutcome', target_request_id: 1n, state: 'NotInFlight' },
  cancelled: { t: 'RequestCancelled', stage: 'AfterAdmission' },
  domains: {
    t: 'DomainList',
    domains: [domain, { ...domain, pace: { t: 'Paced', period_ns: 1n, skew_ns: 0n } }],
  },
  selected: {
    t: 'DomainSelectionOutcome',
    disposition: { t: 'DomainSelected', domain },
  },
  suggestions: {
    t: 'SuggestOutcome',
    status: 'Ready',
    suggestions: [{ value: 'v', kind: 'Text', edit: { start: 0, end: 1, replacement: '' } }],
    continuation: '7',
  },
  subscribed: {
    t: 'SubscribeOutcome',
    disposition: {
      t: 'SubscriptionOpened',
      subscription,
      domain: 'd',
      relay: 'r',
      subscription_type: 'Row',
      schema: {
        fields: [
          {
            name: 'f',
            type: { t: 'FixedList', element: { t: 'List', element: { t: 'F32' } }, length: 3 },
            nullable: true,
            sensitive: false,
          },
        ],
        branch: { branch: 'b', fields: [] },
      },
    },
    message: 'm',
    diagnostics: [],
  },
  unsubscribed: {
    t: 'UnsubscribeOutcome',
    disposition: { t: 'SubscriptionDeleted', subscription },
    message: 'm',
    diagnostics: [],
  },
  rejected: {
    t: 'RequestRejected',
    rejection: 'InvalidRequest',
    field: 'target.t',
    message: 'm',
  },
  part: { t: 'TransferPart', total_bytes: 10n, offset: 0n, chunk: Uint8Array.of(1, 2, 3) },
};

const events: Readonly<Record<string, ServerBody>> = {
  leadership: {
    t: 'LeadershipObserved',
    leadership: { t: 'LeaderIsServingNode', node: 'n1' },
    feature_level: { session: 1, node: 1, activated: 1 },
    cluster: 'c1',
  },
  'no domains': { t: 'DomainsObserved', domains: [] },
  rows: {
    t: 'SubscriptionRows',
    subscription,
    branch_key: Uint8Array.of(0x91, 0x01),
    rows: Uint8Array.of(0x91, 0x91, 0xc0),
    row_count: 1,
  },
  lost: { t: 'SubscriptionDeliveryLost', subscription, dropped_rows: 1n },
  skipped: {
    t: 'SubscriptionRowsSkipped',
    subscription,
    cause: 'FilterFailed',
    skipped_rows: 1n,
    message: 'm',
  },
  ended: { t: 'SubscriptionEnded', subscription, reason: 'RelayRemoved', message: 'm' },
  ending: { t: 'SessionEnding', reason: { t: 'ProtocolViolated', message: 'm' } },
};

/** A frame of each kind that a server sends. */
export const SERVER_SAMPLES: Readonly<Record<string, ServerFrame>> = Object.fromEntries([
  ...Object.entries(replies).map(([name, body]): [string, ServerFrame] => [
    name,
    { body: { t: 'Reply', request_id: 1n, body } },
  ]),
  ...Object.entries(events).map(([name, body]): [string, ServerFrame] => [name, { body }]),
]);
