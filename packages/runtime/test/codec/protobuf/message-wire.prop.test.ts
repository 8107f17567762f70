import fc from 'fast-check';
import protobuf from 'protobufjs';
import { describe, expect, test } from 'vitest';
import { parseTree, printTree, UnrepresentableError } from '../../../src/codec/jaq/json-tree.js';
import { MalformedMessageError } from '../../../src/codec/protobuf/message-draft.js';
import { MessageReader } from '../../../src/codec/protobuf/message-reader.js';
import type {
  FieldShape,
  MessageShape,
  Scalar,
} from '../../../src/codec/protobuf/message-shape.js';
import { writeMessage } from '../../../src/codec/protobuf/message-writer.js';
import { propertyRuns } from '../../support/property-runs.js';
import { OLD, RICH, shapeOf } from './proto-fixture.js';

type Tree = Parameters<typeof writeMessage>[1];

const SHAPES: readonly [string, string][] = [
  ['proto3', RICH],
  ['proto2', OLD],
];
const RUNS = propertyRuns(150, SHAPES.length);

const INTEGERS: Readonly<Record<string, [bigint, bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
};

function scalarOf(scalar: Scalar): fc.Arbitrary<Tree> {
  const finite = { noNaN: true, noDefaultInfinity: true } as const;
  switch (scalar) {
    case 'double':
      return fc.double(finite);
    case 'float':
      return fc.float(finite).map((value) => Number(shortest(value)));
    case 'bool':
      return fc.boolean();
    case 'string':
      return fc.string({ unit: 'binary' });
    case 'bytes':
      return fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64'));
    default: {
      const isUnsigned = scalar.startsWith('u') || scalar.startsWith('fixed');
      const range = INTEGERS[`${isUnsigned ? 'u' : ''}int${scalar.endsWith('32') ? '32' : '64'}`];
      const [min, max] = range as [bigint, bigint];
      return fc.oneof(fc.bigInt({ min, max }), fc.constantFrom(min, max, 0n, 1n));
    }
  }
}

/** The shortest decimal of a single, found the slow way. */
function shortest(value: number): string {
  for (let digits = 1; digits <= 9; digits += 1) {
    const text = value.toPrecision(digits);
    if (Object.is(Math.fround(Number(text)), Math.fround(value))) return text;
  }
  return String(value);
}

function aValue({ value }: FieldShape, depth: number): fc.Arbitrary<Tree> {
  if (value.kind === 'scalar') return scalarOf(value.scalar);
  if (value.kind === 'message') return treeOf(value.message, depth + 1);
  const named = fc.constantFrom<Tree>(...value.values.names.values());
  return value.values.isClosed ? named : fc.oneof(named, fc.constant<Tree>(77n));
}

/** Whether a value goes without saying where presence is not told. */
function isSilent({ hasPresence, value }: FieldShape, tree: Tree): boolean {
  if (hasPresence) return false;
  if (value.kind === 'enum') return tree === value.values.names.get(0);
  return Object.is(tree, 0) || tree === 0n || tree === '' || tree === false;
}

/** Messages as their JSON form shows them: what says nothing is left out. */
function treeOf(shape: MessageShape, depth = 0): fc.Arbitrary<Tree> {
  const members = shape.fields
    .filter(({ value }) => value.kind !== 'message' || depth < 2)
    .map((field) => {
      const chance = field.isRequired ? fc.constant(1) : fc.integer({ min: 0, max: 3 });
      return fc.tuple(chance, fieldOf(field, depth)).map(([one, value]) => [field, one, value]);
    });
  return fc.tuple(...(members as fc.Arbitrary<[FieldShape, number, Tree]>[])).map((all) => {
    const taken = new Set<string>();
    const kept = all.filter(([field, chance, value]) => {
      const isKept = chance === 1 && !isEmpty(value) && !isSilent(field, value);
      if (!isKept || field.oneof === null) return isKept;
      const isFirst = !taken.has(field.oneof);
      taken.add(field.oneof);
      return isFirst;
    });
    return Object.fromEntries(kept.map(([{ name }, , value]) => [name, value]));
  });
}

function fieldOf(field: FieldShape, depth: number): fc.Arbitrary<Tree> {
  const single = aValue(field, depth);
  if (field.cardinality === 'single') return single;
  if (field.cardinality === 'repeated') return fc.array(single, { maxLength: 3 });
  const key =
    field.key === 'string'
      ? fc.string({ unit: 'binary' })
      : scalarOf(field.key as Scalar).map(String);
  return fc
    .uniqueArray(fc.tuple(key, single), { maxLength: 3, selector: ([name]) => name })
    .map((entries) => Object.fromEntries(entries));
}

function isEmpty(tree: Tree): boolean {
  return Array.isArray(tree) && tree.length === 0;
}

/** Empty maps are left out as empty lists are. */
function shown(tree: Tree, shape: MessageShape): Tree {
  const members = Object.entries(tree as Record<string, Tree>).flatMap(([name, value]) => {
    const field = shape.byName.get(name) as FieldShape;
    if (field.cardinality === 'map' && Object.keys(value as object).length === 0) return [];
    const inner = field.value.kind === 'message' ? field.value.message : undefined;
    if (inner === undefined) return [[name, value] as const];
    if (Array.isArray(value)) return [[name, value.map((each) => shown(each, inner))] as const];
    if (field.cardinality === 'map') {
      const entries = Object.entries(value as Record<string, Tree>);
      return [[name, Object.fromEntries(entries.map(([k, v]) => [k, shown(v, inner)]))] as const];
    }
    return [[name, shown(value, inner)] as const];
  });
  return Object.fromEntries(members);
}

function read(shape: MessageShape, bytes: Uint8Array): Tree {
  // Surroundings that would be read if the reader did not stop at the payload's ends.
  const padded = new Uint8Array(bytes.length + 8).fill(0x0a);
  padded.set(bytes, 4);
  return new MessageReader(padded, 4).read(shape, 4 + bytes.length);
}

/** The library's own generated code. */
function libraryType(text: string): protobuf.Type {
  const root = new protobuf.Root();
  protobuf.parse(text, root, { keepCase: true });
  root.resolveAll();
  return root.lookupType('t.M');
}

describe.each(SHAPES)('CN-325: messages of %s', (_, text) => {
  const shape = shapeOf(text, 't.M');
  const type = libraryType(text);

  test('come back as they were written', () => {
    fc.assert(
      fc.property(treeOf(shape), (tree) => {
        const bytes = writeMessage(shape, tree);
        const json = printTree(read(shape, bytes));
        expect(parseTree(json)).toEqual(parseTree(printTree(shown(tree, shape))));
      }),
      { numRuns: RUNS },
    );
  });

  test('are what other code of the format writes and reads', () => {
    fc.assert(
      fc.property(treeOf(shape), (tree) => {
        const bytes = writeMessage(shape, tree);
        const decoded = type.decode(bytes);
        expect(type.verify(decoded)).toBe(null);
        const again = type.encode(decoded).finish();
        expect(read(shape, again)).toEqual(read(shape, bytes));
      }),
      { numRuns: RUNS },
    );
  });

  test('that are damaged are read or refused, never anything else', () => {
    let refused = 0;
    fc.assert(
      fc.property(treeOf(shape), fc.nat(), fc.nat(255), fc.boolean(), (tree, where, byte, cut) => {
        const bytes = writeMessage(shape, tree);
        if (bytes.length === 0) return;
        const at = where % bytes.length;
        const damaged = cut ? bytes.subarray(0, at) : Uint8Array.from(bytes);
        if (!cut) damaged[at] = byte;
        try {
          printTree(read(shape, damaged));
        } catch (error) {
          refused += 1;
          const isKnown =
            error instanceof MalformedMessageError || error instanceof UnrepresentableError;
          if (!isKnown) throw error;
        }
      }),
      { numRuns: propertyRuns(600, SHAPES.length) },
    );
    expect(refused).toBeGreaterThan(RUNS / 10);
  });
});
