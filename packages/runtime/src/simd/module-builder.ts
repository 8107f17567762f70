import { assert } from '@nervix/model';
import { type Code, flatten, i32, unsigned, type ValueType } from './instruction.js';

const TYPE_BYTES: Readonly<Record<ValueType, number>> = {
  i32: 0x7f,
  i64: 0x7e,
  f64: 0x7c,
  v128: 0x7b,
};

/** A variable or parameter of a function. */
export class Local {
  readonly type: ValueType;
  readonly #index: number;

  constructor(index: number, type: ValueType) {
    this.#index = index;
    this.type = type;
  }

  get get(): Code {
    return [0x20, unsigned(this.#index)];
  }

  /** Takes the value that the code leaves, or the one on the stack. */
  set(value: Code = []): Code {
    return [value, 0x21, unsigned(this.#index)];
  }

  /** Sets the variable and leaves its value. */
  tee(value: Code): Code {
    return [value, 0x22, unsigned(this.#index)];
  }

  /** Adds a constant to an i32. */
  advance(count: number): Code {
    return this.set(i32.add(this.get, i32.const(count)));
  }
}

/** Body of a function under construction. */
export class FunctionBuilder {
  readonly index: number;
  readonly parameters: readonly Local[];
  readonly results: readonly ValueType[];
  readonly #locals: Local[] = [];
  #body: Code = [];

  constructor(index: number, parameters: readonly ValueType[], results: readonly ValueType[]) {
    this.index = index;
    this.parameters = parameters.map((type, at) => new Local(at, type));
    this.results = results;
  }

  /** A variable, zero at first. */
  local(type: ValueType): Local {
    const local = new Local(this.parameters.length + this.#locals.length, type);
    this.#locals.push(local);
    return local;
  }

  /** The parameter at a position. */
  parameter(at: number): Local {
    const local = this.parameters[at];
    assert(local !== undefined, 'functions read parameters that they have');
    return local;
  }

  /** Sets the whole body. */
  body(...code: readonly Code[]): this {
    this.#body = code;
    return this;
  }

  /** Calls the function; its results stay on the stack, the last on top. */
  call(...operands: readonly Code[]): Code {
    return [operands, 0x10, unsigned(this.index)];
  }

  get bytes(): number[] {
    const locals = this.#locals.flatMap(({ type }) => [1, TYPE_BYTES[type]]);
    const body = [...unsigned(this.#locals.length), ...locals, ...flatten(this.#body), 0x0b];
    return [...unsigned(body.length), ...body];
  }
}

interface ImportedFunction {
  readonly name: string;
  readonly call: (...operands: readonly Code[]) => Code;
}

interface Signature {
  readonly parameters: readonly ValueType[];
  readonly results: readonly ValueType[];
}

interface Segment {
  readonly address: number;
  readonly bytes: readonly number[];
}

const MAGIC = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

/**
 * A module that works on a memory given to it as `memory` of `host`, together with the functions that
 * it imports from there.
 */
export class ModuleBuilder {
  readonly #imports: (Signature & { readonly name: string })[] = [];
  readonly #functions: FunctionBuilder[] = [];
  readonly #exports: { readonly name: string; readonly index: number }[] = [];
  readonly #segments: Segment[] = [];

  /** Declares a function of the host; all of them come before the module's own. */
  imported(
    name: string,
    parameters: readonly ValueType[],
    results: readonly ValueType[],
  ): ImportedFunction {
    assert(this.#functions.length === 0, 'imports come before the functions of a module');
    const index = this.#imports.push({ name, parameters, results }) - 1;
    return { name, call: (...operands) => [operands, 0x10, unsigned(index)] };
  }

  function(parameters: readonly ValueType[], results: readonly ValueType[]): FunctionBuilder {
    const index = this.#imports.length + this.#functions.length;
    const made = new FunctionBuilder(index, parameters, results);
    this.#functions.push(made);
    return made;
  }

  export(name: string, { index }: FunctionBuilder): void {
    this.#exports.push({ name, index });
  }

  /** Bytes that lie in the memory from the start. */
  segment(address: number, bytes: Iterable<number>): void {
    this.#segments.push({ address, bytes: [...bytes] });
  }

  build(): Uint8Array<ArrayBuffer> {
    const signatures: Signature[] = [
      ...this.#imports,
      ...this.#functions.map(({ parameters, results }) => ({
        parameters: parameters.map(({ type }) => type),
        results,
      })),
    ];
    const typesOf = (types: readonly ValueType[]): number[] =>
      vector(types.map((type) => [TYPE_BYTES[type]]));
    return Uint8Array.from([
      ...MAGIC,
      ...section(
        1,
        signatures.map(({ parameters, results }) => [
          0x60,
          ...typesOf(parameters),
          ...typesOf(results),
        ]),
      ),
      ...section(2, [
        [...text('host'), ...text('memory'), 0x02, 0x00, 0x01],
        ...this.#imports.map(({ name }, at) => [
          ...text('host'),
          ...text(name),
          0,
          ...unsigned(at),
        ]),
      ]),
      ...section(
        3,
        this.#functions.map(({ index }) => unsigned(index)),
      ),
      ...section(
        7,
        this.#exports.map(({ name, index }) => [...text(name), 0x00, ...unsigned(index)]),
      ),
      ...section(
        10,
        this.#functions.map(({ bytes }) => bytes),
      ),
      ...section(
        11,
        this.#segments.map(({ address, bytes }) => [
          0x00,
          ...flatten(i32.const(address)),
          0x0b,
          ...unsigned(bytes.length),
          ...bytes,
        ]),
      ),
    ]);
  }
}

function vector(items: readonly (readonly number[])[]): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function section(id: number, items: readonly (readonly number[])[]): number[] {
  const bytes = vector(items);
  return [id, ...unsigned(bytes.length), ...bytes];
}

function text(value: string): number[] {
  const bytes = new TextEncoder().encode(value);
  return [...unsigned(bytes.length), ...bytes];
}
