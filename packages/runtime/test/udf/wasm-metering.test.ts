import { describe, expect, test } from 'vitest';
import { FUEL_EXPORT, meterModule } from '../../src/udf/wasm-metering.js';
import {
  compileWasm,
  instantiateWasm,
  type WasmGlobal,
  type WasmMemory,
} from '../../src/udf/web-assembly.js';

const text = (value: string): number[] => [value.length, ...new TextEncoder().encode(value)];
const section = (id: number, ...bytes: number[]): number[] => [id, bytes.length, ...bytes];
const body = (...code: number[]): number[] => [code.length + 1, 0, ...code];

/** A module with `spin(n)`, which loops n times, and `fill(n)`, which fills n bytes. */
const MODULE = Uint8Array.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, 2, 0x60, 0, 1, 0x7f, 0x60, 1, 0x7f, 1, 0x7f),
  ...section(2, 1, ...text('env'), ...text('exhausted'), 0, 0),
  ...section(3, 2, 1, 1),
  ...section(5, 1, 0, 1),
  ...section(6, 1, 0x7f, 1, 0x41, 0, 0x0b),
  ...section(7, 3, ...text('spin'), 0, 1, ...text('fill'), 0, 2, ...text('memory'), 2, 0),
  ...section(
    10,
    2,
    // loop; local.get 0; i32.const 1; i32.sub; local.tee 0; br_if 0; end; local.get 0
    ...body(0x03, 0x40, 0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b, 0x20, 0, 0x0b),
    // i32.const 0; i32.const 7; local.get 0; memory.fill; local.get 0
    ...body(0x41, 0, 0x41, 7, 0x20, 0, 0xfc, 11, 0, 0x20, 0, 0x0b),
  ),
]);

interface Exports {
  readonly memory: WasmMemory;
  readonly [FUEL_EXPORT]: WasmGlobal;
  spin(turns: number): number;
  fill(bytes: number): number;
}

function metered(exhausted: () => number, memoryPagesMax = 2): Exports {
  const module = compileWasm(meterModule(MODULE, { exhausted: 'exhausted', memoryPagesMax }));
  return instantiateWasm<Exports>(module, { env: { exhausted } });
}

describe('metered WebAssembly', () => {
  test('each turn of a loop takes a unit, and results stay what they were', () => {
    const exports = metered(() => 0);
    exports[FUEL_EXPORT].value = 100;
    expect(exports.spin(5)).toBe(0);
    expect(exports[FUEL_EXPORT].value).toBe(95);
  });

  test('bulk operations take a unit for 128 bytes', () => {
    const exports = metered(() => 0);
    exports[FUEL_EXPORT].value = 100;
    expect(exports.fill(1280)).toBe(1280);
    expect(exports[FUEL_EXPORT].value).toBe(90);
    const filled = new Uint8Array(exports.memory.buffer);
    expect([filled[1279], filled[1280]]).toEqual([7, 0]);
  });

  test('what runs out asks for more, and goes on with it', () => {
    const asked: number[] = [];
    const exports = metered(() => {
      asked.push(exports[FUEL_EXPORT].value);
      exports[FUEL_EXPORT].value = 10;
      return 0;
    });
    exports[FUEL_EXPORT].value = 10;
    expect(exports.spin(32)).toBe(0);
    expect(asked).toEqual([-1, -1]);
  });

  test('a loop without end is left by what is thrown', () => {
    const exports = metered(() => {
      throw new Error('no more');
    });
    expect(() => exports.spin(-1)).toThrow('no more');
    expect(() => exports.fill(128)).toThrow('no more');
  });

  test('memory grows to its bound and no further', () => {
    const { memory } = metered(() => 0);
    memory.grow(1);
    expect(() => memory.grow(1)).toThrow(RangeError);
  });

  test('a module that lacks what is called is refused', () => {
    const metering = { exhausted: 'other', memoryPagesMax: 2 };
    expect(() => meterModule(MODULE, metering)).toThrow('imports what is called without fuel');
  });
});
