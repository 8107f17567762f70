import type {
  KafkaSink,
  MqttSink,
  NatsSink,
  PayloadSink,
  PulsarSink,
  RabbitmqSink,
  RedisPubsubSink,
} from '@nervix/model';
import { keywords } from '../../tokens.js';
import { takeExternalName } from '../external-name.js';
import { type GrammarHost, label, type Rule } from '../grammar-host.js';
import type { SinkModeRules } from './sink-mode.js';
import { CLIENT, takeMode } from './sink-parts.js';
import { defineSqsSink } from './sqs-sink.js';

const K = keywords(
  'KAFKA',
  'PULSAR',
  'RABBITMQ',
  'REDIS',
  'PUBSUB',
  'MQTT',
  'NATS',
  'ZEROMQ',
  'SYSLOG',
  'SENTRY',
  'TOPIC',
  'QUEUE',
  'CHANNEL',
  'SUBJECT',
);
const TOPIC = label('topic_name');
const QUEUE = label('queue_name');
const CHANNEL = label('channel_name');
const SUBJECT = label('subject_name');

/** Sinks of payloads that a codec makes, HTTP apart. */
export function definePayloadSinks(g: GrammarHost, modes: SinkModeRules): Rule<PayloadSink> {
  const kinds: readonly Rule<PayloadSink>[] = [
    ...defineTopicSinks(g, modes),
    ...defineChannelSinks(g, modes),
    definePlainSink(g, 'zeromq', modes.noAck),
    definePlainSink(g, 'syslog', modes.noAck),
    defineSqsSink(g, modes),
    definePlainSink(g, 'sentry', modes.ack),
  ];
  const alternatives = kinds.map((rule) => ({ ALT: () => g.call(rule) }));
  return g.rule('payloadSink', () => g.choose(0, alternatives));
}

function defineTopicSinks(
  g: GrammarHost,
  modes: SinkModeRules,
): readonly Rule<KafkaSink | PulsarSink | RabbitmqSink>[] {
  const takeTopic = () => {
    const client = g.name(CLIENT);
    g.take(K.TOPIC);
    return { client, topic: takeExternalName(g, TOPIC), mode: takeMode(g, modes.broker) };
  };
  const kafka = g.rule('kafkaSink', (): KafkaSink => {
    const first = g.position;
    g.take(K.KAFKA);
    return g.close({ kind: 'kafka', ...takeTopic() }, first);
  });
  const pulsar = g.rule('pulsarSink', (): PulsarSink => {
    const first = g.position;
    g.take(K.PULSAR);
    return g.close({ kind: 'pulsar', ...takeTopic() }, first);
  });
  const rabbitmq = g.rule('rabbitmqSink', (): RabbitmqSink => {
    const first = g.position;
    g.take(K.RABBITMQ);
    const client = g.name(CLIENT);
    g.take(K.QUEUE);
    const queue = takeExternalName(g, QUEUE);
    return g.close({ kind: 'rabbitmq', client, queue, mode: takeMode(g, modes.broker) }, first);
  });
  return [kafka, pulsar, rabbitmq];
}

function defineChannelSinks(
  g: GrammarHost,
  modes: SinkModeRules,
): readonly Rule<RedisPubsubSink | MqttSink | NatsSink>[] {
  const redis = g.rule('redisSink', (): RedisPubsubSink => {
    const first = g.position;
    g.take(K.REDIS);
    g.take(K.PUBSUB);
    const client = g.name(CLIENT);
    g.take(K.CHANNEL);
    const channel = takeExternalName(g, CHANNEL);
    return g.close(
      { kind: 'redis_pubsub', client, channel, mode: takeMode(g, modes.noAck) },
      first,
    );
  });
  const mqtt = g.rule('mqttSink', (): MqttSink => {
    const first = g.position;
    g.take(K.MQTT);
    const client = g.name(CLIENT);
    g.take(K.TOPIC);
    const topic = takeExternalName(g, TOPIC);
    return g.close({ kind: 'mqtt', client, topic, mode: takeMode(g, modes.mqtt) }, first);
  });
  const nats = g.rule('natsSink', (): NatsSink => {
    const first = g.position;
    g.take(K.NATS);
    const client = g.name(CLIENT);
    g.take(K.SUBJECT);
    const subject = takeExternalName(g, SUBJECT);
    return g.close({ kind: 'nats', client, subject, mode: takeMode(g, modes.nats) }, first);
  });
  return [redis, mqtt, nats];
}

/** A sink that its client says all about. */
function definePlainSink<Kind extends 'zeromq' | 'syslog' | 'sentry', Mode>(
  g: GrammarHost,
  kind: Kind,
  mode: Rule<Mode>,
) {
  const word = { zeromq: K.ZEROMQ, syslog: K.SYSLOG, sentry: K.SENTRY }[kind];
  return g.rule(`${kind}Sink`, () => {
    const first = g.position;
    g.take(word);
    const client = g.name(CLIENT);
    return g.close({ kind, client, mode: takeMode(g, mode) }, first);
  });
}
