import type { MqttMode, MqttSource, QuiesceMode } from '@nervix/model';
import { EOF } from 'chevrotain';
import { keywords, NumberToken } from '../../tokens.js';
import { takeExternalName } from '../external-name.js';
import { type GrammarHost, label, type Rule } from '../grammar-host.js';
import { CLIENT, type SourcePartRules } from './source-parts.js';

const K = keywords('MQTT', 'TOPIC', 'SESSION', 'CLEAN', 'PERSISTENT', 'QOS', 'MODE', 'ACK');
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
    refuseUnfinishedAck(g, missing(kept, qos));
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

/** What a session lacks to keep messages until they are acknowledged. */
function missing(kept: Session, qos: Qos): string | undefined {
  if (kept !== 'PERSISTENT') return 'SESSION PERSISTENT';
  return qos === 1 ? undefined : 'QOS 1';
}

function requirePersistence(
  g: GrammarHost,
  { kept, qos, what }: { readonly kept: Session; readonly qos: Qos; readonly what: string },
  first: number,
): void {
  const wanted = missing(kept, qos);
  if (wanted !== undefined) g.refuse(`MQTT ${what} ${wanted}`, first);
}

/** Refuses an ACK that ends the text, so that a mode that nothing can complete is not offered. */
function refuseUnfinishedAck(g: GrammarHost, wanted: string | undefined): void {
  if (wanted === undefined || !g.isAt(K.ACK) || !g.isAt(EOF, 2)) return;
  g.take(K.ACK);
  g.refuse(`MQTT ACK modes require ${wanted}`);
}
