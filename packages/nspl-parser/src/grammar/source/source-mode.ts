import type {
  AckParallelBatch,
  AckSequential,
  EndpointAckParallel,
  EndpointMode,
  LogMode,
  MqttMode,
  NoAckParallel,
  NoAckSequential,
} from '@nervix/model';
import { keywords } from '../../tokens.js';
import { type AcknowledgementRules, takeMaxInFlight } from '../acknowledgement.js';
import type { GrammarHost, Rule } from '../grammar-host.js';
import type { LiteralRules } from '../literals.js';

const K = keywords('ACK', 'NO_ACK', 'SEQUENTIAL', 'PARALLEL', 'BATCH', 'TIMEOUT');

/** What may follow MODE in a source. */
export interface SourceModeRules {
  /** Of queues, which are read message by message. */
  readonly ackSequential: Rule<AckSequential>;
  /** Of logs, which are also read in batches or without acknowledgement. */
  readonly log: Rule<LogMode>;
  readonly mqtt: Rule<MqttMode>;
  /** Of sources that acknowledge nothing. */
  readonly noAckSequential: Rule<NoAckSequential>;
  readonly endpoint: Rule<EndpointMode>;
}

/** Modes of sources, by what their transports can do. */
export function defineSourceModes(
  g: GrammarHost,
  literals: LiteralRules,
  acknowledgement: AcknowledgementRules,
): SourceModeRules {
  const acks = defineAckModes(g, literals, acknowledgement);
  const takeNoAckSequential = (): NoAckSequential => g.takeAs(K.SEQUENTIAL, NO_ACK_SEQUENTIAL);
  const takeNoAckParallel = (): NoAckParallel => g.takeAs(K.PARALLEL, NO_ACK_PARALLEL);
  const ackSequential = g.rule('ackSequentialMode', () => {
    g.take(K.ACK);
    return g.call(acks.sequential);
  });
  const takeLogAck = () => {
    g.take(K.ACK);
    return g.choose<AckSequential | AckParallelBatch>(1, [
      { ALT: () => g.call(acks.sequential) },
      { ALT: () => g.call(acks.parallelBatch) },
    ]);
  };
  const log = g.rule('logMode', () =>
    g.choose<LogMode>(0, [
      { ALT: takeLogAck },
      {
        ALT: () => {
          g.take(K.NO_ACK);
          return takeNoAckParallel();
        },
      },
    ]),
  );
  const mqtt = g.rule('mqttMode', () =>
    g.choose<MqttMode>(0, [
      { ALT: takeLogAck },
      {
        ALT: () => {
          g.take(K.NO_ACK);
          return g.choose<MqttMode>(2, [{ ALT: takeNoAckParallel }, { ALT: takeNoAckSequential }]);
        },
      },
    ]),
  );
  const noAckSequential = g.rule('noAckSequentialMode', () => {
    g.take(K.NO_ACK);
    return takeNoAckSequential();
  });
  const endpoint = g.rule('endpointMode', () =>
    g.choose<EndpointMode>(0, [
      { ALT: () => g.call(noAckSequential) },
      {
        ALT: () => {
          g.take(K.ACK);
          return g.call(acks.parallel);
        },
      },
    ]),
  );
  return { ackSequential, log, mqtt, noAckSequential, endpoint };
}

const NO_ACK_SEQUENTIAL: NoAckSequential = Object.freeze({ kind: 'no_ack_sequential' });
const NO_ACK_PARALLEL: NoAckParallel = Object.freeze({ kind: 'no_ack_parallel' });

/** What may follow ACK. */
interface AckModeRules {
  readonly sequential: Rule<AckSequential>;
  readonly parallelBatch: Rule<AckParallelBatch>;
  readonly parallel: Rule<EndpointAckParallel>;
}

function defineAckModes(
  g: GrammarHost,
  literals: LiteralRules,
  { timeout, retry }: AcknowledgementRules,
): AckModeRules {
  const sequential = g.rule('sequentialAck', (): AckSequential => {
    g.take(K.SEQUENTIAL);
    const ackTimeout = g.call(timeout);
    return Object.freeze({ kind: 'ack_sequential', ackTimeout, retry: g.call(retry) });
  });
  const parallelBatch = g.rule('parallelBatchAck', (): AckParallelBatch => {
    g.take(K.PARALLEL);
    const max = takeMaxInFlight(g);
    g.take(K.BATCH);
    g.take(K.TIMEOUT);
    const batchTimeout = g.call(literals.duration);
    const ackTimeout = g.call(timeout);
    const policy = g.call(retry);
    return Object.freeze({
      kind: 'ack_parallel_batch',
      max,
      batchTimeout,
      ackTimeout,
      retry: policy,
    });
  });
  const parallel = g.rule('parallelAck', (): EndpointAckParallel => {
    g.take(K.PARALLEL);
    const max = takeMaxInFlight(g);
    return Object.freeze({ kind: 'ack_parallel', max, ackTimeout: g.call(timeout) });
  });
  return { sequential, parallelBatch, parallel };
}
