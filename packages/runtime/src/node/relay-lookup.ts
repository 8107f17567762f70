import type { SchemaPlan } from '@nervix/model';
import type { Relay } from '../relay/relay.js';

/** A relay with the schema of its rows. */
export interface TypedRelay {
  readonly relay: Relay;
  readonly schema: SchemaPlan;
}

/** Finds a relay of the domain; throws when the plan names one it does not contain. */
export type RelayLookup = (name: string) => TypedRelay;
