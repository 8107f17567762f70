import {
  type DecodeErrorPlan,
  decodeErrorRowFields,
  type EndpointSource,
  type EntryRoute,
  type EntryRoutePlan,
  type IngestorPlan,
  type QuiescePlan,
} from '@nervix/model';
import { checkCondition } from '../expression/condition.js';
import { type FieldTable, fieldTable } from '../expression/field-table.js';
import { RecordConstruction } from '../expression/record-construction.js';
import { readingScope } from '../expression/scope.js';
import {
  BRANCH_SET,
  DECODE_ERROR_SET,
  INGESTOR_ERROR_SET,
  INGESTOR_FILTER,
  INGESTOR_ROUTE_WHERE,
  INGESTOR_SET,
} from '../expression/scope-policy.js';
import { checkOutputBranch } from './branching.js';
import { decodingDefect } from './codec/codec-direction.js';
import { planTransform, refuseInvoke, reportFailure } from './construction.js';
import { type ClauseOutcome, planFlush } from './flush.js';
import { planErrorRecord, planMessageError } from './message-error.js';
import type { ModelReporter, PlanningContext } from './planning-context.js';
import { positiveByteSize, positiveCount, positiveDuration, quantityDefect } from './quantities.js';
import type { EndpointIngestorModel } from './runnable-model.js';

/** Checks and types an ingestor. */
export function planIngestor(
  context: PlanningContext,
  model: EndpointIngestorModel,
): IngestorPlan | undefined {
  const report = context.reporter(model);
  const codec = context.find('codec', model.decodeUsing);
  const schema = codec?.schema ?? '';
  const defect = codec === undefined ? undefined : decodingDefect(codec);
  if (defect !== undefined) {
    report.invalid(defect);
    return undefined;
  }
  const ackWindow = planAckWindow(report, model.source);
  const quiesce = planQuiesce(report, model.source);
  if (ackWindow.kind === 'refused' || quiesce === undefined) return undefined;
  if (!checkTimestamp(report, model, schema)) return undefined;
  if (model.routes.length === 0) {
    report.invalid('processor must declare at least one TO destination');
    return undefined;
  }
  const input = context.fieldsOf(schema);
  const scope = readingScope(INGESTOR_FILTER, { input }, context.surroundings);
  const filter = model.filter === null ? null : checkCondition(model.filter, scope);
  if (filter?.kind === 'refused') {
    report.faults('FILTER WHERE compile failed', filter.faults);
    return undefined;
  }
  const routes = model.routes.map((route) => planRoute(report, input, route));
  const decodeError = planDecodeError(report, model, input);
  if (!routes.every((route) => route !== undefined)) return undefined;
  if (decodeError.kind === 'refused') return undefined;
  return {
    kind: 'ingestor',
    name: model.name,
    endpoint: model.source.endpoint,
    mode: model.source.mode.kind,
    ackWindow: ackWindow.plan,
    quiesce,
    codec: model.decodeUsing,
    schema,
    timestamp: model.timestamp ?? { kind: 'now' },
    filter: filter?.expression ?? null,
    routes,
    decodeError: decodeError.plan,
    generalError: model.generalError,
  };
}

type AckWindow = NonNullable<IngestorPlan['ackWindow']>;

function planAckWindow(report: ModelReporter, { mode }: EndpointSource): ClauseOutcome<AckWindow> {
  if (mode.kind === 'no_ack_sequential') return { kind: 'ok', plan: null };
  const refuse = (reason: string): ClauseOutcome<AckWindow> => {
    report.invalid(reason, mode);
    return { kind: 'refused' };
  };
  const max = positiveCount(mode.max);
  if (max.kind === 'zero') return refuse('MODE ACK PARALLEL MAX must be greater than zero');
  if (max.kind === 'unreadable') {
    return refuse(`invalid MODE ACK PARALLEL MAX '${mode.max}': ${max.reason}`);
  }
  const timeout = positiveDuration(mode.ackTimeout);
  if (timeout.kind === 'zero') return refuse('MODE ACK TIMEOUT must be greater than zero');
  if (timeout.kind === 'unreadable') {
    return refuse(`invalid MODE ACK TIMEOUT '${mode.ackTimeout}': ${timeout.reason}`);
  }
  return { kind: 'ok', plan: { max: max.value, timeoutNanos: timeout.value } };
}

function planQuiesce(report: ModelReporter, { quiesce }: EndpointSource): QuiescePlan | undefined {
  if (quiesce.kind === 'reject') {
    const retryAfter = positiveDuration(quiesce.retryAfter);
    if (retryAfter.kind === 'ok') return { kind: 'reject', retryAfterNanos: retryAfter.value };
    const text = `'${quiesce.retryAfter}': ${quantityDefect(retryAfter)}`;
    report.invalid(`invalid ON QUIESCE REJECT RETRY AFTER ${text}`, quiesce);
    return undefined;
  }
  if (quiesce.kind !== 'buffer' || quiesce.overflow !== null) {
    report.invalid('endpoint ingestors hold with ON QUIESCE REJECT or a plain BUFFER', quiesce);
    return undefined;
  }
  const size = positiveByteSize(quiesce.maxSize);
  if (size.kind === 'ok') return { kind: 'buffer', maxBytes: size.value };
  const text = `'${quiesce.maxSize}': ${quantityDefect(size)}`;
  report.invalid(`invalid ON QUIESCE BUFFER MAX SIZE ${text}`, quiesce);
  return undefined;
}

function checkTimestamp(
  report: ModelReporter,
  model: EndpointIngestorModel,
  schema: string,
): boolean {
  const { timestamp } = model;
  if (timestamp?.kind !== 'at') return true;
  const field = report.context.fieldsOf(schema).get(timestamp.field);
  if (field?.type === 'DATETIME') return true;
  const defect =
    field === undefined
      ? `is missing from schema '${schema}'`
      : `must use DATETIME in schema '${schema}'`;
  report.invalid(`TIMESTAMP field '${timestamp.field}' ${defect}`, timestamp);
  return false;
}

const ROUTE_WORDING = {
  invalid: 'ingestor output route is invalid',
  compile: 'FILTER-MAP compile failed',
};

function planRoute(
  report: ModelReporter,
  input: FieldTable,
  route: EntryRoute,
): EntryRoutePlan | undefined {
  const { context } = report;
  if (refuseInvoke(report, route.construction, ROUTE_WORDING)) return undefined;
  const output = context.fieldsOf(context.find('relay', route.relay)?.schema ?? '');
  const branch = route.branch.kind === 'branched_by' ? route.branch.branch : null;
  if (!checkOutputBranch(report, branch, route.relay, route)) return undefined;
  const construction = planTransform(report, route.construction, {
    wording: ROUTE_WORDING,
    setPolicy: INGESTOR_SET,
    wherePolicy: INGESTOR_ROUTE_WHERE,
    input,
    output,
    branch: undefined,
  });
  const key = planKey(report, route, { input, output });
  const flush = planFlush(report, route.flush, `TO output '${route.relay}'`);
  const messageError = planMessageError(report, route.messageError, {
    policy: INGESTOR_ERROR_SET,
    input,
    output,
    branches: [null],
  });
  if (construction === undefined || key.kind === 'refused') return undefined;
  if (flush === undefined || messageError === undefined) return undefined;
  return { relay: route.relay, construction, branch: key.plan, flush, messageError };
}

type KeyPlan = NonNullable<EntryRoutePlan['branch']>;

/** Types the assignments of the branch key; every key field needs one that is never null. */
function planKey(
  report: ModelReporter,
  { branch }: EntryRoute,
  rows: { readonly input: FieldTable; readonly output: FieldTable },
): ClauseOutcome<KeyPlan> {
  if (branch.kind === 'unbranched') return { kind: 'ok', plan: null };
  const { context } = report;
  const fields = context.branchFields(branch.branch) ?? fieldTable([]);
  const record = new RecordConstruction(
    { row: 'branch', fields, operation: 'branch_set', targetScopes: ['branch'] },
    readingScope(BRANCH_SET, { ...rows, branch: fields }, context.surroundings),
  );
  const failure = record.set(branch.set) ?? record.finish(branch);
  if (failure === undefined) {
    return { kind: 'ok', plan: { branch: branch.branch, assignments: record.assignments } };
  }
  const wording = {
    invalid: 'branch construction is invalid',
    compile: 'branch SET compile failed',
  };
  reportFailure(report, wording, failure);
  return { kind: 'refused' };
}

function planDecodeError(
  report: ModelReporter,
  { decodeError, source }: EndpointIngestorModel,
  input: FieldTable,
): ClauseOutcome<DecodeErrorPlan> {
  if (decodeError === null) return { kind: 'ok', plan: null };
  if (decodeError.kind === 'log') return { kind: 'ok', plan: { kind: 'log' } };
  if (decodeError.kind === 'retry') {
    if (source.mode.kind === 'ack_parallel') return { kind: 'ok', plan: { kind: 'retry' } };
    report.invalid('ON DECODE ERROR RETRY requires an ACK mode', decodeError);
    return { kind: 'refused' };
  }
  const { relay } = decodeError;
  const branch = report.context.branchOfRelay(relay);
  if (branch !== null) {
    const names = `uses branch ${branch}, expected UNBRANCHED`;
    report.schemaRelation(`decode-error relay '${relay}' ${names}`, decodeError);
    return { kind: 'refused' };
  }
  const isSensitive = [...input.values()].some((field) => field.sensitive);
  const assignments = planErrorRecord(report, decodeError, {
    policy: DECODE_ERROR_SET,
    rows: { error: fieldTable(decodeErrorRowFields(isSensitive)) },
    clause: 'decode-error SET',
  });
  if (assignments === undefined) return { kind: 'refused' };
  return { kind: 'ok', plan: { kind: 'send_to', relay, assignments } };
}
