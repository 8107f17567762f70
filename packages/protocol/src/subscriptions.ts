export interface WireField {
  readonly name: string;
  /** Declaration spelling: `I64`, `VEC<F64>`. */
  readonly type: string;
  readonly nullable: boolean;
  readonly sensitive: boolean;
}

/** First record of a row stream. */
export interface StreamOpened {
  readonly opened: {
    readonly domain: string;
    readonly relay: string;
    readonly schema: {
      readonly fields: readonly WireField[];
      /** Present exactly when the relay is branched. */
      readonly branch?: { readonly branch: string; readonly fields: readonly WireField[] };
    };
  };
}
/** One row; `key` is present on branched relays. Sensitive values read `<masked>`. */
export interface StreamRow {
  readonly row: Readonly<Record<string, unknown>>;
  readonly key?: Readonly<Record<string, unknown>>;
}
/** Rows that a DROPPING subscription discarded since the last report. */
export interface StreamLost {
  readonly lost: number;
}
/** Rows left out because the filter failed on them or they could not be printed. */
export interface StreamSkipped {
  readonly skipped: {
    readonly cause: 'FilterFailed' | 'DomainTimeUnavailable' | 'EncodingFailed';
    readonly rows: number;
    readonly message: string;
  };
}
/** Last record of a stream that the server ended. */
export interface StreamEnded {
  readonly ended: {
    readonly reason:
      | 'RelayChanged'
      | 'RelayRemoved'
      | 'UserDropped'
      | 'ServerShuttingDown'
      | 'Failed';
    readonly message: string;
  };
}

/** A record of `GET /api/v1/domains/{d}/relays/{r}/rows`, as an NDJSON line or an SSE event. */
export type StreamRecord = StreamOpened | StreamRow | StreamLost | StreamSkipped | StreamEnded;
