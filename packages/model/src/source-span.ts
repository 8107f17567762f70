/** Half-open range of UTF-8 byte offsets into a submitted text. */
export interface SourceSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Where a model's parts stood in the text they were read from. Spans live beside the model, keyed by
 * node identity, so that models stay plain data that compare structurally.
 */
export interface SpanLookup {
  /** Span of a model node (an expression, a route, a whole model) or of none. */
  spanOf(node: object): SourceSpan | undefined;
}

/** A lookup for models that came from no text. */
export const NO_SPANS: SpanLookup = { spanOf: () => undefined };
