/** Identity of a graph node inside its domain; the kind as schedules spell it: `lookup`. */
export interface GraphKey {
  readonly kind: string;
  readonly name: string;
}

/** Order of keys: by kind, then by name, each byte by byte. */
export function compareKeys(left: GraphKey, right: GraphKey): number {
  return compareText(left.kind, right.kind) || compareText(left.name, right.name);
}

/** Byte order of the names a model accepts; they are ASCII, where code units are bytes. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Text that identifies a key in a map. Kinds hold no slash, so no two keys share it. */
export function keyText(key: GraphKey): string {
  return `${key.kind}/${key.name}`;
}
