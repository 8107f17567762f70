/**
 * The course of a run as a digest of everything that happened, and in words when it is recorded.
 * Equal digests of two runs mean equal runs.
 */
export class Trace {
  readonly #linesMax: number;
  readonly #lines: string[] = [];
  #high = 0x811c9dc5;
  #low = 0x9e3779b9;

  /** Keeps the newest `linesMax` lines; none for 0, which is fast. */
  constructor(linesMax = 0) {
    this.#linesMax = linesMax;
  }

  get isRecording(): boolean {
    return this.#linesMax > 0;
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  /** 16 hexadecimal digits. */
  get digest(): string {
    const digits = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');
    return digits(this.#high) + digits(this.#low);
  }

  /** Takes up to three numbers into the digest. */
  mix(first: number, second = 0, third = 0): void {
    let high = Math.imul(this.#high ^ first, 0x01000193);
    high = Math.imul(high ^ second, 0x01000193);
    this.#high = Math.imul(high ^ third, 0x01000193) ^ (this.#low >>> 13);
    this.#low = Math.imul(this.#low ^ this.#high, 0x85ebca6b);
  }

  /** Keeps a line. Callers ask {@link isRecording} before they make one. */
  record(line: string): void {
    if (this.#lines.length >= this.#linesMax) this.#lines.shift();
    this.#lines.push(line);
  }
}
