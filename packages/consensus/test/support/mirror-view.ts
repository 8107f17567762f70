import type { AppliedPosition, RecordMirror, StateWrite } from '../../src/index.ts';

const text = new TextDecoder();

/** A view of the records of a node in another thread, as text. */
export class MirrorView implements RecordMirror {
  readonly records = new Map<string, string>();
  position: AppliedPosition | undefined;
  resets = 0;

  reset(): void {
    this.resets += 1;
    this.records.clear();
  }

  changed(writes: Iterable<StateWrite>, applied: AppliedPosition | undefined): void {
    for (const { key, value } of writes) {
      if (value === undefined) this.records.delete(text.decode(key));
      else this.records.set(text.decode(key), text.decode(value));
    }
    this.position = applied ?? this.position;
  }
}
