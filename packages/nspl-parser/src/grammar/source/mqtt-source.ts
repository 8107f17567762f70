import type { MqttMode, MqttSource, QuiesceMode } from '@nervix/model';
import { keywords, NumberToken } from '../../tokens.js';
import { takeExternalName } from '../external-name.js';
import { type GrammarHost, label, type Rule } from '../grammar-host.js';
import { CLIENT, type SourcePartRules } from './source-parts.js';

const K = keywords('MQTT', 'TOPIC', 'SESSION', 'CLEAN', 'PERSISTENT', 'QOS', 'MODE');
const TOPIC_FILTER = label('mqtt_topic_filter');
const QOS = label('mqtt_qos');

type Session = MqttSource['session'];
type Qos = MqttSource['qos'];

/** `MQTT client TOPIC filter …`. */
export function defineMqttSource(g: GrammarHost, parts: SourcePartRules): Rule<MqttSource> {
  const session = g.rule('mqttSession', () => {
    g.take(K.SESSION);
    return g.choose<Session>(0, [
      { ALT: () => g.takeAs(K.CLEAN, 'CLEAN') },
      { ALT: () => g.takeAs(K.PERSISTENT, 'PERSISTENT') },
    ]);
  });
  return g.rule('mqttSource', (): MqttSource => {
    const first = g.position;
    g.take(K.MQTT);
    const client = g.name(CLIENT);
    g.take(K.TOPIC);
    const topicFilter = takeExternalName(g, TOPIC_FILTER);
    const instances = g.call(parts.instances);
    const kept = g.maybe(0, () => g.call(session)) ?? 'CLEAN';
    const qos = g.maybe(1, () => takeQos(g)) ?? 0;
    g.take(K.MODE);
    const modeFirst = g.position;
    const mode = g.call(parts.modes.mqtt);
    if (isAckMode(mode)) {
      requirePersistence(g, { kept, qos, what: 'ACK modes require' }, modeFirst);
    }
    const quiesceFirst = g.position;
    const quiesce = g.call(parts.quiesce.suspendBufferOrDrop);
    if (isSuspend(quiesce)) {
      requirePersistence(g, { kept, qos, what: 'ON QUIESCE SUSPEND requires' }, quiesceFirst);
    }
    const source = { topicFilter, instances, session: kept, qos, mode, quiesce };
    return g.close({ kind: 'mqtt', client, ...source }, first);
  });
}

function takeQos(g: GrammarHost): Qos {
  g.take(K.QOS);
  const { image } = g.take(NumberToken, QOS);
  if (image !== '0' && image !== '1') g.refuse('MQTT QOS must be 0 or 1');
  return image === '1' ? 1 : 0;
}

function isAckMode({ kind }: MqttMode): boolean {
  return kind === 'ack_sequential' || kind === 'ack_parallel_batch';
}

function isSuspend({ kind }: QuiesceMode): boolean {
  return kind === 'suspend';
}

/** Only a persistent session of QoS 1 keeps messages until they are acknowledged. */
function requirePersistence(
  g: GrammarHost,
  { kept, qos, what }: { readonly kept: Session; readonly qos: Qos; readonly what: string },
  first: number,
): void {
  if (kept !== 'PERSISTENT') g.refuse(`MQTT ${what} SESSION PERSISTENT`, first);
  if (qos !== 1) g.refuse(`MQTT ${what} QOS 1`, first);
}
