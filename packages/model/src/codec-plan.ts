/** JSON texts or CBOR items: objects whose members are the fields. */
export interface WireCodecPlan {
  readonly name: string;
  readonly format: 'JSON' | 'CBOR';
  /** Schema of the records; its field types say how values stand in payloads. */
  readonly schema: string;
  /** STRICT refuses undeclared fields. */
  readonly strict: boolean;
}

/** How payloads become records and back. */
export type CodecPlan = WireCodecPlan;
