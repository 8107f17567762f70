/** Thrown inside the reader only: why bytes are no stream that it takes. */
export class ArrowDefect extends Error {}
