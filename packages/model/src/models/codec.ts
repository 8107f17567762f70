export interface WireCodecSource {
  readonly kind: 'wire';
  readonly format: 'JSON';
  readonly wireSchema: string;
}

export interface EncodingRule {
  readonly field: string;
  readonly as: 'RFC3339';
}

export interface CodecModel {
  readonly kind: 'codec';
  readonly name: string;
  readonly source: WireCodecSource;
  readonly schema: string;
  readonly encode: readonly EncodingRule[];
}
