import type { EmitterModel, EmitterOperation, EmitterSink, SinkMode } from '@nervix/model';
import { alteredInputs } from './alter-consumer.js';
import { type Altered, andThen, ClauseFault } from './clause-fault.js';

/** Publishing modes that each kind of sink can have. */
const MODES: Readonly<Record<EmitterSink['kind'], readonly SinkMode['kind'][]>> = {
  kafka: ['no_ack', 'windowed_ack'],
  pulsar: ['no_ack', 'windowed_ack'],
  rabbitmq: ['no_ack', 'windowed_ack'],
  redis_pubsub: ['no_ack'],
  mqtt: ['qos_0', 'qos_ack'],
  nats: ['no_ack', 'jetstream_ack'],
  zeromq: ['no_ack'],
  syslog: ['no_ack'],
  sqs: ['sqs_single', 'sqs_batch'],
  sentry: ['ack'],
  http: ['ack'],
  consumers: ['windowed_ack'],
  clickhouse: ['ack'],
  postgres: ['ack'],
  mysql: ['ack'],
  mongodb: ['ack'],
  iceberg: ['ack'],
  otel: ['ack'],
};

/** An emitter after one operation. */
export function alteredEmitter(
  model: EmitterModel,
  operation: EmitterOperation,
): Altered<EmitterModel> {
  const { sink } = model;
  const sending = (next: Altered<EmitterSink>): Altered<EmitterModel> =>
    andThen(next, (changed) => ({ ...model, sink: changed }));
  switch (operation.op) {
    case 'set_sink':
      return { ...model, sink: operation.sink, encodeUsing: codecAfter(model, operation.body) };
    case 'set_client':
      if (sink.kind === 'consumers') return new ClauseFault('its sink has no client');
      return sending({ ...sink, client: operation.client });
    case 'set_encode_using':
      return { ...model, encodeUsing: operation.codec };
    case 'drop_encode':
      return { ...model, encodeUsing: null };
    case 'set_mode':
      return sending(sinkWithMode(sink, operation.mode));
    case 'set_commit':
      if (sink.kind !== 'iceberg') return new ClauseFault('COMMIT EACH needs an ICEBERG sink');
      return sending({ ...sink, commit: operation.commit });
    case 'set_batch':
      return { ...model, batch: operation.batch };
    case 'drop_batch':
      return { ...model, batch: null };
    case 'set_flush':
      return { ...model, flush: operation.flush };
    default:
      return alteredInputs(model, operation);
  }
}

type Body = Extract<EmitterOperation, { op: 'set_sink' }>['body'];

function codecAfter({ encodeUsing }: EmitterModel, body: Body): string | null {
  switch (body.kind) {
    case 'kept':
      return encodeUsing;
    case 'encode':
      return body.codec;
    case 'without_body':
      return null;
  }
}

function sinkWithMode(sink: EmitterSink, mode: SinkMode): Altered<EmitterSink> {
  if (!MODES[sink.kind].includes(mode.kind)) {
    return new ClauseFault('its sink does not have this MODE');
  }
  // The table above is what the types of sinks say; the pair is sound once it was looked up there.
  return { ...sink, mode } as EmitterSink;
}
