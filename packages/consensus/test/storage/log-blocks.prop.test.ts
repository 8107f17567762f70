import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LogBlocks } from '../../src/storage/log-blocks.ts';
import { propRuns } from '../support/prop-runs.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const append = fc.record({
  kind: fc.constant('append' as const),
  sizes: fc.array(fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 5_000 })), { maxLength: 40 }),
});
/** More blocks at once than stay in the array after they were forgotten. */
const flood = fc.record({
  kind: fc.constant('append' as const),
  sizes: fc.nat(3_000).map((count) => new Array<number>(count).fill(1)),
});
const steps = fc.array(
  fc.oneof(
    { arbitrary: append, weight: 6 },
    { arbitrary: flood, weight: 1 },
    { arbitrary: fc.record({ kind: fc.constant('truncate' as const), share }), weight: 2 },
    { arbitrary: fc.record({ kind: fc.constant('forget' as const), share }), weight: 3 },
    { arbitrary: fc.record({ kind: fc.constant('clear' as const), gap: fc.nat(99) }), weight: 1 },
  ),
  { maxLength: 40 },
);

/** First and last entry of every block in a plain array, beside what it is compared with. */
class Model {
  spans: { readonly first: bigint; readonly last: bigint }[] = [];
  next = 1n;
  epoch = 0;
  readonly blocks = new LogBlocks(0);

  append(sizes: readonly number[]): void {
    for (const size of sizes) {
      const first = this.next;
      this.next += BigInt(size);
      this.spans.push({ first, last: this.next - 1n });
      this.blocks.append(first);
    }
  }

  /** Cuts at any entry. The block that it is in begins in front of it, and stays then. */
  truncate(drawn: number): void {
    const from = this.entryAt(drawn);
    if (from === undefined) return;
    this.blocks.truncate(from);
    this.spans = this.spans
      .filter(({ first }) => first < from)
      .map(({ first, last }) => ({ first, last: last < from ? last : from - 1n }));
    this.next = from;
  }

  forget(drawn: number): void {
    const count = Math.floor(drawn * this.spans.length);
    this.blocks.forget(count);
    this.spans = this.spans.slice(count);
  }

  clear(gap: number): void {
    this.epoch += 1;
    this.blocks.clear(this.epoch);
    this.spans = [];
    this.next += BigInt(gap);
  }

  entryAt(drawn: number): bigint | undefined {
    const [start] = this.spans;
    if (start === undefined) return undefined;
    const count = Number(this.next - start.first);
    return start.first + BigInt(Math.min(count - 1, Math.floor(drawn * count)));
  }

  check(drawn: number): void {
    const { blocks, spans, next } = this;
    expect(blocks.epoch).toBe(this.epoch);
    expect(blocks.count).toBe(spans.length);
    const firsts = spans.map(({ first }) => first);
    expect([...blocks.from(0n)]).toEqual(firsts);
    expect([...blocks.through(next - 1n, next - 1n)]).toEqual(firsts);
    const index = this.entryAt(drawn);
    if (index === undefined) return;
    for (const at of [index - 1n, index, index + 1n]) {
      expect(blocks.countFrom(at)).toBe(firsts.filter((it) => it >= at).length);
      expect([...blocks.from(at)]).toEqual(firsts.filter((it) => it >= at));
      const wholly = spans.filter(({ last }) => last <= at);
      expect([...blocks.through(at, next - 1n)]).toEqual(wholly.map(({ first }) => first));
    }
    const inside = spans.find(({ first, last }) => first <= index && index <= last);
    expect(blocks.startOf(index)).toBe(inside?.first);
    expect(() => blocks.startOf(firsts[0]! - 1n)).toThrow('the entry is in a block');
    const behind = Math.floor(drawn * (firsts.length - 1));
    expect(blocks.fromEnd(behind)).toBe(firsts.at(-1 - behind));
    expect(() => blocks.fromEnd(firsts.length)).toThrow('the block is there');
    expect(() => blocks.append(firsts.at(-1)!)).toThrow('blocks are appended in order');
  }
}

test('CS-311 appended, cut, forgotten and cleared blocks agree with a plain array', () => {
  const property = fc.property(steps, share, (script, drawn) => {
    const model = new Model();
    for (const step of script) {
      if (step.kind === 'append') model.append(step.sizes);
      else if (step.kind === 'truncate') model.truncate(step.share);
      else if (step.kind === 'forget') model.forget(step.share);
      else model.clear(step.gap);
      model.check(drawn);
    }
    const tooMany = model.blocks.count + 1;
    expect(() => model.blocks.forget(tooMany)).toThrow('only what is there');
  });
  fc.assert(property, { numRuns: propRuns(100) });
});
