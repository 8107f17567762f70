const HEX_ID = /^[0-9a-f]{32}$/;

/** Whether a text is an id: 16 bytes as 32 lower-case hexadecimal digits. */
export function isHexId(text: string): boolean {
  return HEX_ID.test(text);
}
