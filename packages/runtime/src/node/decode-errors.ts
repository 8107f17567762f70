import {
  type DecodeErrorPlan,
  decodeErrorRowFields,
  type ErrorOperation,
  type SchemaPlan,
} from '@nervix/model';
import { AckSet } from '../ack/ack-set.js';
import { BatchBuilder } from '../batch/batch-builder.js';
import type { DecodeFailure } from '../codec/codec-failure.js';
import type { RouteOutput } from '../flush/route-output.js';
import type { Series } from '../metrics/metric-store.js';
import { type Construction, compileConstruction } from '../program/compile-construction.js';
import type { ExecutionSnapshot } from '../program/row-set.js';
import type { RefusedPayload } from './ingest-group.js';
import type { NodeContext, NodeIdentity } from './node-context.js';
import { openOutput } from './node-output.js';
import type { RelayLookup } from './relay-lookup.js';
import { uuidV7 } from './uuid-v7.js';

/** What is done with an undecodable payload, as its counter names it. */
export type DecodeAction = 'retry' | 'log' | 'send' | 'skip';

interface DecodeTarget {
  readonly output: RouteOutput;
  readonly construction: Construction;
  readonly schema: SchemaPlan;
}

/** The ON DECODE ERROR policy of an ingestor. */
export class DecodeErrors {
  readonly action: DecodeAction;
  readonly counter: Series;
  readonly #context: NodeContext;
  readonly #node: NodeIdentity;
  readonly #codec: string;
  readonly #target: DecodeTarget | null;

  constructor(options: {
    readonly context: NodeContext;
    readonly node: NodeIdentity;
    readonly plan: DecodeErrorPlan | null;
    readonly codec: string;
    /** Whether the codec's schema has a sensitive field, which makes the payload sensitive. */
    readonly isPayloadSensitive: boolean;
    readonly relays: RelayLookup;
  }) {
    const { context, node, plan } = options;
    this.#context = context;
    this.#node = node;
    this.#codec = options.codec;
    this.action = actionOf(plan);
    this.counter = context.metrics.counter('nervix_ingestor_decode_errors_total', {
      ingestor: node.name,
      action: this.action,
    });
    this.#target = plan?.kind === 'send_to' ? decodeTarget(context, node, plan, options) : null;
  }

  get output(): RouteOutput | null {
    return this.#target?.output ?? null;
  }

  /** Whether payloads are kept for an error record at group delivery. */
  get keepsPayload(): boolean {
    return this.#target !== null;
  }

  /** Counts and logs an undecodable payload. */
  report(failure: DecodeFailure): void {
    this.counter.value += 1;
    const { domain, log } = this.#context;
    log.warn(
      `failed to decode HTTP message for ingestor '${this.#node.name}' in domain '${domain}': ` +
        (failure.logged ?? failure.message),
      { codec: this.#codec, action: this.action },
    );
  }

  /** Builds and publishes the error rows of a group's refused payloads as one batch. */
  deliver(refused: readonly RefusedPayload[], snapshot: ExecutionSnapshot): void {
    const target = this.#target;
    if (target === null || refused.length === 0) return;
    const builder = new BatchBuilder(target.schema);
    for (const { request, failure } of refused) {
      builder.appendRow([
        uuidV7(snapshot.nowNanos, snapshot.randomBytes(10)),
        'validation',
        failure.message,
        DECODE,
        null,
        failure.field === undefined ? [] : [failure.field],
        snapshot.nowNanos,
        request.body,
      ]);
    }
    const rows = {
      rowCount: refused.length,
      error: builder.finish(),
      headers: (row: number, name: string) => refused[row]?.request.headers(name) ?? [],
    };
    const result = target.construction.run(rows, snapshot);
    for (const failure of result.failures) {
      this.#context.log.error(
        `ingestor '${this.#node.name}' failed to build a decode error record in domain ` +
          `'${this.#context.domain}': ${failure.kind}: ${failure.detail}`,
      );
    }
    const instants = new BigInt64Array(result.batch.rowCount).fill(snapshot.nowNanos);
    target.output.append({
      batch: result.batch,
      branchKey: null,
      low: instants,
      high: instants,
      acks: AckSet.NONE,
    });
  }
}

const DECODE: ErrorOperation = 'decode';

function actionOf(plan: DecodeErrorPlan | null): DecodeAction {
  if (plan === null) return 'skip';
  return plan.kind === 'send_to' ? 'send' : plan.kind;
}

function decodeTarget(
  context: NodeContext,
  node: NodeIdentity,
  plan: Extract<DecodeErrorPlan, { readonly kind: 'send_to' }>,
  options: { readonly relays: RelayLookup; readonly isPayloadSensitive: boolean },
): DecodeTarget {
  const target = options.relays(plan.relay);
  const schema: SchemaPlan = {
    name: 'error',
    fields: decodeErrorRowFields(options.isPayloadSensitive),
  };
  const construction = { assignments: plan.assignments, where: null };
  return {
    schema,
    construction: compileConstruction(construction, { error: schema }, target.schema),
    output: openOutput(context, node, target.relay, null),
  };
}
