import type {
  KafkaOffsets,
  KafkaSource,
  PulsarSource,
  RabbitmqSource,
  SqsSource,
} from '@nervix/model';
import { keywords } from '../../tokens.js';
import { takeExternalName } from '../external-name.js';
import { type GrammarHost, label, phraseOf, type Rule } from '../grammar-host.js';
import { CLIENT, type SourcePartRules } from './source-parts.js';

const K = keywords(
  'KAFKA',
  'PULSAR',
  'RABBITMQ',
  'SQS',
  'TOPIC',
  'OFFSET',
  'BY',
  'DOMAIN',
  'SUBSCRIPTION',
  'QUEUE',
  'MODE',
);
const PHRASE_CONSUMER_GROUP = phraseOf('CONSUMER GROUP');
const TOPIC = label('topic_name');
const GROUP = label('consumer_group');
const SUBSCRIPTION = label('subscription_name');
const QUEUE = label('queue_name');

/** Sources that keep what was not acknowledged: logs and queues. */
export function defineLogSources(
  g: GrammarHost,
  parts: SourcePartRules,
): readonly Rule<KafkaSource | PulsarSource | RabbitmqSource | SqsSource>[] {
  const { modes, quiesce } = parts;
  const offsets = defineOffsets(g);
  const kafka = g.rule('kafkaSource', (): KafkaSource => {
    const first = g.position;
    g.take(K.KAFKA);
    const client = g.name(CLIENT);
    g.take(K.TOPIC);
    const topic = takeExternalName(g, TOPIC);
    const position = g.call(offsets);
    const instances = g.call(parts.instances);
    g.take(K.MODE);
    const mode = g.call(modes.log);
    const onQuiesce = g.call(quiesce.suspend);
    const source = { topic, offsets: position, instances, mode, quiesce: onQuiesce };
    return g.close({ kind: 'kafka', client, ...source }, first);
  });
  const pulsar = g.rule('pulsarSource', (): PulsarSource => {
    const first = g.position;
    g.take(K.PULSAR);
    const client = g.name(CLIENT);
    g.take(K.TOPIC);
    const topic = takeExternalName(g, TOPIC);
    g.take(K.SUBSCRIPTION);
    const subscription = takeExternalName(g, SUBSCRIPTION);
    const instances = g.call(parts.instances);
    g.take(K.MODE);
    const mode = g.call(modes.log);
    const onQuiesce = g.call(quiesce.suspend);
    const source = { topic, subscription, instances, mode, quiesce: onQuiesce };
    return g.close({ kind: 'pulsar', client, ...source }, first);
  });
  return [kafka, pulsar, defineQueue(g, parts, 'rabbitmq'), defineQueue(g, parts, 'sqs')];
}

function defineOffsets(g: GrammarHost): Rule<KafkaOffsets> {
  const domain: KafkaOffsets = Object.freeze({ kind: 'domain' });
  return g.rule('kafkaOffsets', () => {
    g.take(K.OFFSET);
    g.take(K.BY);
    return g.choose<KafkaOffsets>(0, [
      {
        ALT: () => {
          g.phrase(PHRASE_CONSUMER_GROUP);
          return Object.freeze({ kind: 'consumer_group', group: takeExternalName(g, GROUP) });
        },
      },
      { ALT: () => g.takeAs(K.DOMAIN, domain) },
    ]);
  });
}

function defineQueue<Kind extends 'rabbitmq' | 'sqs'>(
  g: GrammarHost,
  parts: SourcePartRules,
  kind: Kind,
) {
  return g.rule(`${kind}Source`, () => {
    const first = g.position;
    g.take(kind === 'sqs' ? K.SQS : K.RABBITMQ);
    const client = g.name(CLIENT);
    g.take(K.QUEUE);
    const queue = takeExternalName(g, QUEUE);
    const instances = g.call(parts.instances);
    g.take(K.MODE);
    const mode = g.call(parts.modes.ackSequential);
    const onQuiesce = g.call(parts.quiesce.suspend);
    return g.close({ kind, client, queue, instances, mode, quiesce: onQuiesce }, first);
  });
}
