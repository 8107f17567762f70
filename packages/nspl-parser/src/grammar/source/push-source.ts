import type {
  NatsSource,
  NoAckSequential,
  QuiesceMode,
  RedisPubsubSource,
  SyslogSource,
  WebsocketsSource,
  ZeromqSource,
} from '@nervix/model';
import { keywords } from '../../tokens.js';
import { takeExternalName } from '../external-name.js';
import { type GrammarHost, label, phraseOf, type Rule } from '../grammar-host.js';
import { CLIENT, type SourcePartRules, takeInstances } from './source-parts.js';

const K = keywords(
  'NATS',
  'REDIS',
  'PUBSUB',
  'WEBSOCKETS',
  'ZEROMQ',
  'SYSLOG',
  'SUBJECT',
  'CHANNEL',
  'MODE',
);
const PHRASE_QUEUE_GROUP = phraseOf('QUEUE GROUP');
const SUBJECT = label('subject_name');
const QUEUE_GROUP = label('queue_group');
const CHANNEL = label('channel_name');

type PushSource = NatsSource | RedisPubsubSource | WebsocketsSource | ZeromqSource | SyslogSource;

/** Sources that send once, whether or not anyone has read it. */
export function definePushSources(
  g: GrammarHost,
  { modes, quiesce }: SourcePartRules,
): readonly Rule<PushSource>[] {
  const takeMode = (onQuiesce: Rule<QuiesceMode>) => {
    g.take(K.MODE);
    const mode: NoAckSequential = g.call(modes.noAckSequential);
    return { mode, quiesce: g.call(onQuiesce) };
  };
  const nats = g.rule('natsSource', (): NatsSource => {
    const first = g.position;
    g.take(K.NATS);
    const client = g.name(CLIENT);
    g.take(K.SUBJECT);
    const subject = takeExternalName(g, SUBJECT);
    g.phrase(PHRASE_QUEUE_GROUP);
    const queueGroup = takeExternalName(g, QUEUE_GROUP);
    const instances = takeInstances(g);
    const rest = takeMode(quiesce.bufferOrDrop);
    return g.close({ kind: 'nats', client, subject, queueGroup, instances, ...rest }, first);
  });
  const redis = g.rule('redisSource', (): RedisPubsubSource => {
    const first = g.position;
    g.take(K.REDIS);
    g.take(K.PUBSUB);
    const client = g.name(CLIENT);
    g.take(K.CHANNEL);
    const channel = takeExternalName(g, CHANNEL);
    const rest = takeMode(quiesce.bufferOrDrop);
    return g.close({ kind: 'redis_pubsub', client, channel, ...rest }, first);
  });
  const plain = <Kind extends 'websockets' | 'zeromq' | 'syslog'>(
    kind: Kind,
    onQuiesce: Rule<QuiesceMode>,
  ) => {
    const word = { websockets: K.WEBSOCKETS, zeromq: K.ZEROMQ, syslog: K.SYSLOG }[kind];
    return g.rule(`${kind}Source`, () => {
      const first = g.position;
      g.take(word);
      const client = g.name(CLIENT);
      return g.close({ kind, client, ...takeMode(onQuiesce) }, first);
    });
  };
  return [
    nats,
    redis,
    plain('websockets', quiesce.bufferOrDrop),
    plain('zeromq', quiesce.suspendBufferOrDrop),
    plain('syslog', quiesce.suspendBufferOrDrop),
  ];
}
