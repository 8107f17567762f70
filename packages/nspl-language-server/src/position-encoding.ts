import { type InitializeParams, PositionEncodingKind } from 'vscode-languageserver';

/** How the characters of a position are counted: in UTF-16 code units or in UTF-8 bytes. */
export type PositionEncoding = typeof PositionEncodingKind.UTF16 | typeof PositionEncodingKind.UTF8;

/**
 * The encoding that a client and this server have in common: the first of the client's list, which
 * is in its order of preference. Every client knows UTF-16.
 */
export function negotiateEncoding(params: InitializeParams): PositionEncoding {
  const offered: unknown = params.capabilities?.general?.positionEncodings;
  const encodings: readonly unknown[] = Array.isArray(offered) ? offered : [];
  for (const encoding of encodings) {
    if (encoding === PositionEncodingKind.UTF8) return PositionEncodingKind.UTF8;
    if (encoding === PositionEncodingKind.UTF16) return PositionEncodingKind.UTF16;
  }
  return PositionEncodingKind.UTF16;
}
