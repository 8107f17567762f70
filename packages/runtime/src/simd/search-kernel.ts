import { branch, type Code, i8x16, i32, Label, leave, loop, v128, when } from './instruction.js';
import { KERNEL_BASE, type KernelMemory, kernelMemory } from './kernel-memory.js';
import { ModuleBuilder } from './module-builder.js';

/** Bytes that one call looks through, which should stay in the caches. */
export const SEARCH_BYTES_MAX = 16_384;

/** Bytes of a word of SIMD, and of a step of the search. */
const WORD = 16;
const STEP = WORD * 2;
/** Bytes that the last step may read behind the input. */
const SLACK = STEP + 1;

const INPUT_AT = KERNEL_BASE;
const PLACES_AT: number = INPUT_AT + SEARCH_BYTES_MAX + 64;
const END: number = PLACES_AT + (SEARCH_BYTES_MAX + SLACK) * 4;

type Find = (inputEnd: number, first: number, second: number, isSingle: number) => number;

/** Finds the places of one byte, or of two in a row, with WebAssembly and SIMD. */
export class SearchKernel {
  readonly #memory: KernelMemory;
  readonly #find: Find;

  private constructor(memory: KernelMemory) {
    this.#memory = memory;
    this.#find = memory.instantiate(searchModule())['find'] as Find;
  }

  /** The kernel of this thread; null where the host has no WebAssembly with SIMD. */
  static shared(): SearchKernel | null {
    if (shared === undefined) {
      const memory = kernelMemory();
      shared = memory?.ensure(END) === true ? new SearchKernel(memory) : null;
    }
    return shared;
  }

  /**
   * Finds where two bytes stand in `source[from..to)`, of which the second may lie behind the range;
   * where it lies behind the source, the first alone may be found.
   *
   * @param to at most {@link SEARCH_BYTES_MAX} behind `from`
   * @param second null to find the first byte alone
   * @param places takes their distances from `from`, ascending; has room for each byte
   * @returns how many there are
   */
  find(
    range: { readonly source: Uint8Array; readonly from: number; readonly to: number },
    bytes: { readonly first: number; readonly second: number | null },
    places: Int32Array,
  ): number {
    const { source, from, to } = range;
    const { first, second } = bytes;
    const memory = this.#memory;
    memory.bytes.set(source.subarray(from, to + 1), INPUT_AT);
    const end = INPUT_AT + to - from;
    let count = this.#find(end, first, second ?? 0, second === null ? 255 : 0);
    const found = new Int32Array(memory.bytes.buffer, PLACES_AT, count);
    // Whatever lies behind the input may look like it.
    while (count > 0 && (found[count - 1] as number) >= to - from) count -= 1;
    places.set(found.subarray(0, count));
    return count;
  }
}

let shared: SearchKernel | null | undefined;

/**
 * Exports `find(inputEnd, first, second, any)`, which writes the distance of each place and answers
 * their number; `any` is 255 where the second byte may be any.
 */
function searchModule(): Uint8Array<ArrayBuffer> {
  const module = new ModuleBuilder();
  const made = module.function(['i32', 'i32', 'i32', 'i32'], ['i32']);
  const [end, any] = [made.parameter(0), made.parameter(3)];
  const [firsts, seconds, anything] = [made.local('v128'), made.local('v128'), made.local('v128')];
  const [at, to, mask] = [made.local('i32'), made.local('i32'), made.local('i32')];
  const scan = new Label();
  const matchesAt = (offset: number): Code =>
    v128.and(
      i8x16.eq(v128.load(at.get, offset), firsts.get),
      v128.or(i8x16.eq(v128.load(at.get, offset + 1), seconds.get), anything.get),
    );
  const places = (offset: number): Code => {
    const next = new Label();
    const place = i32.add(at.get, i32.add(i32.ctz(mask.get), i32.const(offset - INPUT_AT)));
    return [
      mask.set(i8x16.bitmask(matchesAt(offset))),
      loop(
        next,
        when(mask.get, [
          i32.store(to.get, place),
          to.advance(4),
          mask.set(i32.and(mask.get, i32.sub(mask.get, i32.const(1)))),
          branch(next),
        ]),
      ),
    ];
  };
  made.body(
    firsts.set(i8x16.splat(made.parameter(1).get)),
    seconds.set(i8x16.splat(made.parameter(2).get)),
    anything.set(i8x16.splat(any.get)),
    at.set(i32.const(INPUT_AT)),
    to.set(i32.const(PLACES_AT)),
    loop(
      scan,
      when(i32.ltU(at.get, end.get), [
        when(i8x16.bitmask(v128.or(matchesAt(0), matchesAt(WORD))), [places(0), places(WORD)]),
        at.advance(STEP),
        branch(scan),
      ]),
    ),
    leave(i32.shrU(i32.sub(to.get, i32.const(PLACES_AT)), i32.const(2))),
  );
  module.export('find', made);
  return module.build();
}
