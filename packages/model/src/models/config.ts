/** `'key' = 'value'`: values are kept as text, entries in declaration order. */
export interface ConfigEntry {
  readonly key: string;
  readonly value: string;
}
