/** JSON texts: objects whose members are the fields. */
export interface WireCodecPlan {
  readonly name: string;
  readonly format: 'JSON';
  /** Schema of the records; its field types say how values stand in payloads. */
  readonly schema: string;
  /** STRICT refuses undeclared fields. */
  readonly strict: boolean;
}

/** How payloads become records and back. */
export type CodecPlan = WireCodecPlan;
