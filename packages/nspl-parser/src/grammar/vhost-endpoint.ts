import type { EndpointModel, VhostModel } from '@nervix/model';
import { cutText } from '../diagnostics.js';
import { keywords, Word } from '../tokens.js';
import { type GrammarHost, hidden, label, phraseOf, type Rule } from './grammar-host.js';
import { type LiteralRules, takeResourceBinding } from './literals.js';

const K = keywords('VHOST', 'WITH', 'TLS', 'ENDPOINT', 'ON', 'PATH', 'TYPE', 'WEBSOCKETS', 'HTTP');
const PHRASE_WITH_SIGNALING_PROTOCOL = phraseOf('WITH SIGNALING PROTOCOL');

const VHOST_NAME = label('vhost_name');
const VHOST = label('ref:vhost');
const ENDPOINT_NAME = label('endpoint_name');
const PATH = label('string_literal');
const SIGNALING_PROTOCOL = label('ref:signaling_protocol');
const UNOFFERED = hidden('WITH SIGNALING PROTOCOL');

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
    const { type, signaling } = g.choose<EndpointType>(0, [
      {
        ALT: () => {
          g.take(K.WEBSOCKETS);
          return { type: 'WEBSOCKETS', signaling: g.maybe(0, () => takeSignaling(g)) ?? null };
        },
      },
      {
        ALT: () => {
          g.take(K.HTTP);
          g.maybe(1, () => refuseSignaling(g));
          return { type: 'HTTP', signaling: null };
        },
      },
    ]);
    return g.close({ kind: 'endpoint', name, vhost, path, type, signaling }, 0);
  });
}

type EndpointType = Pick<EndpointModel, 'type' | 'signaling'>;

function takeSignaling(g: GrammarHost): string {
  g.phrase(PHRASE_WITH_SIGNALING_PROTOCOL);
  return g.name(SIGNALING_PROTOCOL);
}

/** Reads the clause where it cannot stand; it is not offered there. */
function refuseSignaling(g: GrammarHost): void {
  const first = g.position;
  for (const type of PHRASE_WITH_SIGNALING_PROTOCOL.types) g.take(type, UNOFFERED);
  g.take(Word, UNOFFERED);
  g.refuse('SIGNALING PROTOCOL is only valid for WEBSOCKETS endpoints', first);
}
