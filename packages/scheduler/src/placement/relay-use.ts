import type { DecodeErrorPolicy, MessageErrorPolicy, Model, UnmatchedPolicy } from '@nervix/model';

/** What flows between a model and a relay. */
export type FlowKind = 'records' | 'errors' | 'timeouts' | 'state';

/** A relay that a model reads or writes. */
export interface RelayUse {
  readonly relay: string;
  readonly flow: FlowKind;
  readonly isWrite: boolean;
}

/**
 * The relays that a model works with: those it writes by normal, error and timeout routes, and those
 * whose records or state it reads, writes first; repeats are kept. References of configuration are no flow; a hash
 * map has none at all.
 */
export function relayUses(model: Model): readonly RelayUse[] {
  switch (model.kind) {
    case 'ingestor':
      return [...routed(model.routes), ...sent(model.decodeError)];
    case 'generator':
      return [...routed(model.routes), { relay: model.state, flow: 'state', isWrite: false }];
    case 'emitter':
      return [...sent(model.messageError), ...read(model.inputs.relays), ...states(model)];
    case 'correlator': {
      const { left, right } = model.onTimeout;
      return [
        ...routed(model.routes),
        ...[left, right].flatMap((policy) => sent(policy, 'timeouts')),
        ...read([...model.left.relays, ...model.right.relays]),
        ...states(model),
      ];
    }
    case 'reingestor':
    case 'junction':
    case 'deduplicator':
    case 'reorderer':
    case 'window_processor':
    case 'inferencer':
    case 'wasm_processor':
      return [...routed(model.routes), ...read(model.inputs.relays), ...states(model)];
    default:
      return [];
  }
}

interface Named {
  readonly relay: string;
}

function read(relays: readonly Named[]): readonly RelayUse[] {
  return relays.map(({ relay }) => ({ relay, flow: 'records', isWrite: false }));
}

function states({ dependencies }: { readonly dependencies: readonly Named[] }) {
  return dependencies.map(({ relay }): RelayUse => ({ relay, flow: 'state', isWrite: false }));
}

function routed(
  routes: readonly (Named & { readonly messageError: MessageErrorPolicy })[],
): readonly RelayUse[] {
  return routes.flatMap(({ relay, messageError }): readonly RelayUse[] => [
    { relay, flow: 'records', isWrite: true },
    ...sent(messageError),
  ]);
}

function sent(
  policy: MessageErrorPolicy | DecodeErrorPolicy | UnmatchedPolicy | null,
  flow: FlowKind = 'errors',
): readonly RelayUse[] {
  return policy?.kind === 'send_to' ? [{ relay: policy.relay, flow, isWrite: true }] : [];
}
