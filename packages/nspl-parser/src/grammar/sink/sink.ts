import type {
  BulkSink,
  ConsumerSink,
  EmitterBatch,
  HttpSink,
  IcebergCommit,
  PayloadSink,
  RowSink,
  SinkMode,
} from '@nervix/model';
import type { AcknowledgementRules } from '../acknowledgement.js';
import type { GrammarHost, Rule } from '../grammar-host.js';
import type { LiteralRules } from '../literals.js';
import { defineBatch } from './batch.js';
import { defineConsumerSink } from './consumer-sink.js';
import { defineHttpSink } from './http-sink.js';
import { defineIcebergCommit, defineIcebergSink } from './iceberg-sink.js';
import { defineOtelSink } from './otel-sink.js';
import { definePayloadSinks } from './payload-sink.js';
import { defineRowSinks } from './row-sink.js';
import { defineSinkModes } from './sink-mode.js';
import { defineValues } from './sink-parts.js';

/** What an emitter writes to. Each sink ends with its mode; what follows is the emitter's. */
export interface SinkRules {
  /** Followed by ENCODE USING. */
  readonly payloadSink: Rule<PayloadSink>;
  /** Followed by ENCODE USING or WITHOUT BODY. */
  readonly httpSink: Rule<HttpSink>;
  /** Takes records without a codec, in batches only. */
  readonly consumerSink: Rule<ConsumerSink>;
  /** Takes values, in batches only. */
  readonly rowSink: Rule<RowSink>;
  /** Takes values, in batches or not. */
  readonly bulkSink: Rule<BulkSink>;
  /** What may follow MODE of whichever sink. */
  readonly mode: Rule<SinkMode>;
  /** `COMMIT EACH … MAX SIZE …`. */
  readonly commit: Rule<IcebergCommit>;
  /** `BATCH MAX MESSAGES … MAX SIZE …`. */
  readonly batch: Rule<EmitterBatch>;
}

/** Sinks of every kind. */
export function defineSinks(
  g: GrammarHost,
  literals: LiteralRules,
  acknowledgement: AcknowledgementRules,
): SinkRules {
  const modes = defineSinkModes(g, acknowledgement);
  const values = defineValues(g);
  const commit = defineIcebergCommit(g, literals);
  const iceberg = defineIcebergSink(g, modes, { values, commit });
  const otel = defineOtelSink(g, modes, values);
  return {
    payloadSink: definePayloadSinks(g, modes),
    httpSink: defineHttpSink(g, modes),
    consumerSink: defineConsumerSink(g, modes),
    rowSink: defineRowSinks(g, modes, values),
    bulkSink: g.rule('bulkSink', () =>
      g.choose<BulkSink>(0, [{ ALT: () => g.call(iceberg) }, { ALT: () => g.call(otel) }]),
    ),
    mode: modes.any,
    commit,
    batch: defineBatch(g),
  };
}
