/** A secret as texts name it, or one value of it. */
export function valueName(name: string, key: string | null): string {
  return key === null ? `secret '${name}'` : `secret '${name}' key '${key}'`;
}
