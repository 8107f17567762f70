import type {
  AckMode,
  BrokerMode,
  MqttSinkMode,
  NatsSinkMode,
  NoAckMode,
  SinkMode,
  SqsSinkMode,
  WindowedAckMode,
} from '@nervix/model';
import { keywords, NumberToken } from '../../tokens.js';
import type { AcknowledgementRules } from '../acknowledgement.js';
import { type GrammarHost, label, phraseOf, type Rule } from '../grammar-host.js';

const K = keywords('NO_ACK', 'ACK', 'QOS', 'SINGLE', 'BATCH', 'RETRY');
const PHRASE_JETSTREAM_ACK = phraseOf('JETSTREAM ACK');
const QOS = label('mqtt_qos');

/** What may follow MODE in a sink. */
export interface SinkModeRules {
  readonly noAck: Rule<NoAckMode>;
  readonly ack: Rule<AckMode>;
  readonly windowedAck: Rule<WindowedAckMode>;
  readonly broker: Rule<BrokerMode>;
  readonly mqtt: Rule<MqttSinkMode>;
  readonly nats: Rule<NatsSinkMode>;
  readonly sqs: Rule<SqsSinkMode>;
  /** Any of them. */
  readonly any: Rule<SinkMode>;
}

type Windowed = Omit<WindowedAckMode, 'kind'>;

/** How sinks publish. */
export function defineSinkModes(
  g: GrammarHost,
  acknowledgement: AcknowledgementRules,
): SinkModeRules {
  const retry = () => g.call(acknowledgement.retry);
  const windowed = g.rule('windowedPublishing', (): Windowed => {
    const window = g.call(acknowledgement.window);
    const ackTimeout = g.call(acknowledgement.timeout);
    return { window, ackTimeout, retry: retry() };
  });
  const noAck = g.rule('noAckMode', (): NoAckMode => {
    g.take(K.NO_ACK);
    return Object.freeze({ kind: 'no_ack', retry: retry() });
  });
  const ack = g.rule('ackMode', (): AckMode => {
    g.take(K.ACK);
    return Object.freeze({ kind: 'ack', retry: retry() });
  });
  const windowedAck = g.rule('windowedAckMode', (): WindowedAckMode => {
    g.take(K.ACK);
    return Object.freeze({ kind: 'windowed_ack', ...g.call(windowed) });
  });
  const jetstream = g.rule('jetstreamMode', (): NatsSinkMode => {
    g.phrase(PHRASE_JETSTREAM_ACK);
    return Object.freeze({ kind: 'jetstream_ack', ...g.call(windowed) });
  });
  const mqtt = defineMqttMode(g, acknowledgement, windowed);
  const sqs = defineSqsMode(g, acknowledgement);
  const broker = g.rule('brokerMode', () =>
    g.choose<BrokerMode>(0, [{ ALT: () => g.call(noAck) }, { ALT: () => g.call(windowedAck) }]),
  );
  const nats = g.rule('natsMode', () =>
    g.choose<NatsSinkMode>(0, [{ ALT: () => g.call(noAck) }, { ALT: () => g.call(jetstream) }]),
  );
  const any = g.rule('sinkMode', () =>
    g.choose<SinkMode>(0, [
      { ALT: () => g.call(noAck) },
      { ALT: () => g.call(ack) },
      { ALT: () => g.call(windowedAck) },
      { ALT: () => g.call(mqtt) },
      { ALT: () => g.call(jetstream) },
      { ALT: () => g.call(sqs) },
    ]),
  );
  return { noAck, ack, windowedAck, broker, mqtt, nats, sqs, any };
}

function defineMqttMode(
  g: GrammarHost,
  acknowledgement: AcknowledgementRules,
  windowed: Rule<Windowed>,
): Rule<MqttSinkMode> {
  return g.rule('mqttSinkMode', () => {
    g.take(K.QOS);
    const { image } = g.take(NumberToken, QOS);
    if (!/^[012]$/u.test(image)) g.refuse('MQTT emitter QOS must be 0, 1, or 2');
    if (image === '0') g.expectNext(K.RETRY, 'RETRY POLICY');
    else g.expectNext(K.ACK, 'ACK');
    return g.choose<MqttSinkMode>(0, [
      {
        ALT: () => {
          return Object.freeze({ kind: 'qos_0', retry: g.call(acknowledgement.retry) });
        },
      },
      {
        ALT: () => {
          g.take(K.ACK);
          const qos = image === '1' ? 1 : 2;
          return Object.freeze({ kind: 'qos_ack', qos, ...g.call(windowed) });
        },
      },
    ]);
  });
}

function defineSqsMode(g: GrammarHost, acknowledgement: AcknowledgementRules): Rule<SqsSinkMode> {
  return g.rule('sqsMode', (): SqsSinkMode => {
    const kind = g.choose<SqsSinkMode['kind']>(0, [
      { ALT: () => g.takeAs(K.SINGLE, 'sqs_single') },
      { ALT: () => g.takeAs(K.BATCH, 'sqs_batch') },
    ]);
    return Object.freeze({ kind, retry: g.call(acknowledgement.retry) });
  });
}
