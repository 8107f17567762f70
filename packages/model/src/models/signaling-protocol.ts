import type { ConfigEntry } from './config.js';
import type { ResourceBinding } from './resource-binding.js';

/** How frames of a handshake are read and written. */
export type SignalingFormat =
  | { readonly kind: 'text'; readonly format: 'JSON' | 'YAML' | 'TOML' | 'XML' | 'CBOR' | 'RAW' }
  | {
      readonly kind: 'protobuf';
      readonly descriptors: ResourceBinding;
      readonly config: readonly ConfigEntry[];
      readonly sendMessage: string;
      readonly waitMessage: string;
    };

/** One step after a connection opens; programs and matchers are JAQ texts. */
export type SignalingStep =
  | { readonly kind: 'send'; readonly programs: readonly string[] }
  | {
      readonly kind: 'wait';
      readonly matchers: readonly string[];
      /** Matchers whose message fails the connection; empty without the clause. */
      readonly fail: readonly string[];
      /** Only with exactly one matcher. */
      readonly capture: string | null;
      readonly acceptData: boolean;
    };

/** What `CREATE SIGNALING PROTOCOL` defines. */
export interface SignalingProtocolModel {
  readonly kind: 'signaling_protocol';
  readonly name: string;
  readonly format: SignalingFormat;
  /** Matchers that fail the connection at any step; empty without the clause. */
  readonly fail: readonly string[];
  readonly acceptData: boolean;
  readonly steps: readonly SignalingStep[];
  readonly timeout: string;
}
