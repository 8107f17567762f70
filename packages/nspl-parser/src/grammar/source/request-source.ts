import type { EndpointSource, HttpSource, PrometheusSource } from '@nervix/model';
import { keywords } from '../../tokens.js';
import { takeClockDuration } from '../clock-duration.js';
import { type GrammarHost, label, type Rule } from '../grammar-host.js';
import { CLIENT, type SourcePartRules } from './source-parts.js';

const K = keywords('HTTP', 'PROMETHEUS', 'QUERY', 'EVERY', 'ENDPOINT', 'MODE');
const QUERY = label('string_literal');
const ENDPOINT = label('ref:endpoint');

/** Sources that are polled. */
export function definePollingSources(
  g: GrammarHost,
  { literals, quiesce }: SourcePartRules,
): readonly Rule<HttpSource | PrometheusSource>[] {
  const takeEvery = () => {
    g.take(K.EVERY);
    const everyNanos = takeClockDuration(g, literals);
    return { everyNanos, quiesce: g.call(quiesce.suspendOrBuffer) };
  };
  const http = g.rule('httpSource', (): HttpSource => {
    const first = g.position;
    g.take(K.HTTP);
    const client = g.name(CLIENT);
    return g.close({ kind: 'http', client, ...takeEvery() }, first);
  });
  const prometheus = g.rule('prometheusSource', (): PrometheusSource => {
    const first = g.position;
    g.take(K.PROMETHEUS);
    const client = g.name(CLIENT);
    g.take(K.QUERY);
    const query = g.text(QUERY);
    return g.close({ kind: 'prometheus', client, query, ...takeEvery() }, first);
  });
  return [http, prometheus];
}

/** `ENDPOINT name MODE …`: this system answers requests. */
export function defineEndpointSource(
  g: GrammarHost,
  { modes, quiesce }: SourcePartRules,
): Rule<EndpointSource> {
  return g.rule('endpointSource', (): EndpointSource => {
    const first = g.position;
    g.take(K.ENDPOINT);
    const endpoint = g.name(ENDPOINT);
    g.take(K.MODE);
    const mode = g.call(modes.endpoint);
    const onQuiesce = g.call(quiesce.endpoint);
    return g.close({ kind: 'endpoint', endpoint, mode, quiesce: onQuiesce }, first);
  });
}
