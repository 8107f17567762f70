import type { Model, ModelKind } from '@nervix/model';

/** A model with the parts that placement looks at; the rest does not matter to it. */
export function model(kind: ModelKind, name: string, parts: object = {}): Model {
  return { kind, name, ...parts } as unknown as Model;
}

export const route = (relay: string, onError: string | null = null) => ({
  relay,
  messageError: onError === null ? { kind: 'log' } : { kind: 'send_to', relay: onError, set: [] },
});

/** Clauses of a consumer of relays. */
export const reading = (relays: readonly string[], states: readonly string[] = []) => ({
  inputs: { relays: relays.map((relay) => ({ relay, where: null })), collect: null },
  dependencies: states.map((relay) => ({ relay, policy: { kind: 'required_skip' } })),
});

export const relay = (name: string, materialized = false) => model('relay', name, { materialized });

export const ingestor = (name: string, source: string, relays: readonly string[] = ['raw']) =>
  model('ingestor', name, {
    source: { kind: source },
    routes: relays.map((name) => route(name)),
    decodeError: null,
  });
