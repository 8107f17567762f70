import type { RowsSink } from '../../src/control-plane/control-plane.ts';

/** A sink that keeps its records; it has room when the test says so. */
export class RecordingSink implements RowsSink {
  readonly records: unknown[] = [];
  isEnded = false;
  room: Promise<void> = Promise.resolve();

  write(lines: Uint8Array): Promise<void> {
    const text = new TextDecoder().decode(lines);
    for (const line of text.trimEnd().split('\n')) this.records.push(JSON.parse(line));
    return this.room;
  }

  end(): void {
    this.isEnded = true;
  }

  get kinds(): readonly string[] {
    return this.records.map((record) => Object.keys(record as object)[0] ?? '');
  }
}
