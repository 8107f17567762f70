import type { EndpointModel, VhostModel } from '@nervix/model';
import { cutText } from '../diagnostics.js';
import { keywords } from '../tokens.js';
import { type GrammarHost, label, phraseOf, type Rule } from './grammar-host.js';
import { type LiteralRules, takeResourceBinding } from './literals.js';

const K = keywords('VHOST', 'WITH', 'TLS', 'ENDPOINT', 'ON', 'PATH', 'TYPE', 'WEBSOCKETS', 'HTTP');
const PHRASE_WITH_SIGNALING_PROTOCOL = phraseOf('WITH SIGNALING PROTOCOL');

const VHOST_NAME = label('vhost_name');
const VHOST = label('ref:vhost');
const ENDPOINT_NAME = label('endpoint_name');
const PATH = label('string_literal');
const SIGNALING_PROTOCOL = label('ref:signaling_protocol');

/** `VHOST name host, … [WITH TLS …]`. */
export function defineVhost(g: GrammarHost, { hostname }: LiteralRules): Rule<VhostModel> {
  return g.rule('vhost', (): VhostModel => {
    g.take(K.VHOST);
    const name = g.name(VHOST_NAME);
    const hostnames = g.commaList(0, () => g.call(hostname));
    const tls =
      g.maybe(0, () => {
        g.take(K.WITH);
        g.take(K.TLS);
        return takeResourceBinding(g);
      }) ?? null;
    return g.close({ kind: 'vhost', name, hostnames, tls }, 0);
  });
}

/** `ENDPOINT name ON vhost PATH … TYPE …`. */
export function defineEndpoint(g: GrammarHost): Rule<EndpointModel> {
  return g.rule('endpoint', (): EndpointModel => {
    g.take(K.ENDPOINT);
    const name = g.name(ENDPOINT_NAME);
    g.take(K.ON);
    const vhost = g.name(VHOST);
    g.take(K.PATH);
    const path = g.text(PATH);
    if (!path.startsWith('/'))
      g.refuse(`invalid endpoint path '${cutText(path)}': must start with '/'`);
    g.take(K.TYPE);
    const type = g.choose<EndpointModel['type']>(0, [
      { ALT: () => g.takeAs(K.WEBSOCKETS, 'WEBSOCKETS') },
      { ALT: () => g.takeAs(K.HTTP, 'HTTP') },
    ]);
    const signaling =
      g.maybe(0, () => {
        const first = g.position;
        g.phrase(PHRASE_WITH_SIGNALING_PROTOCOL);
        const protocol = g.name(SIGNALING_PROTOCOL);
        if (type === 'HTTP') {
          g.refuse('SIGNALING PROTOCOL is only valid for WEBSOCKETS endpoints', first);
        }
        return protocol;
      }) ?? null;
    return g.close({ kind: 'endpoint', name, vhost, path, type, signaling }, 0);
  });
}
