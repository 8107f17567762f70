import type { ProtobufDescriptors } from '@nervix/model';
import protobuf from 'protobufjs';
import {
  type EnumShape,
  type FieldShape,
  type MessageShape,
  SCALARS,
  type Scalar,
  type ValueShape,
  WIRE_TYPE,
  wireTypeOf,
} from './message-shape.js';
import { importedPath, rootPaths } from './proto-paths.js';

/** Thrown for files that are no descriptors, and for messages that they lack. */
export class DescriptorError extends Error {}

/** The message types of a set of files. */
export interface MessageTypes {
  /**
   * The type of a name, with its package.
   *
   * @throws DescriptorError when there is none
   */
  message(name: string): MessageShape;
}

/**
 * Compiles `.proto` files with all that they import; the well-known types of `google/protobuf` are
 * there without files.
 *
 * @throws DescriptorError for texts that are none, missing imports and names without a definition
 */
export function compileDescriptors(descriptors: ProtobufDescriptors): MessageTypes {
  const root = new protobuf.Root();
  parseFiles(root, descriptors);
  attempt(() => root.resolveAll());
  const shapes = new ShapeCompiler();
  return {
    message(name) {
      const found = definition(root, name.replace(/^\./u, ''));
      // Chains of types that hold each other may be longer than the stack is deep.
      if (found instanceof protobuf.Type) return attempt(() => shapes.message(found));
      throw new DescriptorError(`protobuf message '${name}' was not found`);
    },
  };
}

/** What stands under a full name; the library's own lookup takes a name without its package too. */
function definition(root: protobuf.Root, name: string): protobuf.ReflectionObject | null {
  let found: protobuf.ReflectionObject | null = root;
  for (const part of name.split('.')) {
    found = found instanceof protobuf.Namespace ? found.get(part) : null;
  }
  return found;
}

function parseFiles(root: protobuf.Root, descriptors: ProtobufDescriptors): void {
  const texts = new Map(descriptors.files.map(({ path, text }) => [path, text]));
  const parsed = new Set<string>();
  const pending = rootPaths(descriptors, (problem) => {
    throw new DescriptorError(problem);
  }).map((path) => ({ path, from: undefined as string | undefined }));
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { path, from } = next;
    if (parsed.has(path)) continue;
    parsed.add(path);
    const text = texts.get(path);
    if (text === undefined) {
      const known = protobuf.common.get(path);
      const problem = `${from}: import '${path}' was not found`;
      if (known?.nested === undefined) throw compileError(problem);
      root.addJSON(known.nested);
      continue;
    }
    const { imports = [], weakImports = [] } = attempt(
      () => protobuf.parse(text, root, { keepCase: true }),
      `${path}: `,
    );
    for (const name of [...imports, ...weakImports]) {
      pending.push({
        path: importedPath(descriptors, name, (known) => texts.has(known)),
        from: path,
      });
    }
  }
}

function attempt<T>(work: () => T, place = ''): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof DescriptorError) throw error;
    throw compileError(place + (error instanceof Error ? error.message : String(error)));
  }
}

function compileError(problem: string): DescriptorError {
  return new DescriptorError(`failed to compile protobuf descriptors: ${problem}`);
}

/** Makes shapes of types, each once, so that types may hold themselves. */
class ShapeCompiler {
  readonly #messages = new Map<protobuf.Type, MessageShape>();
  readonly #enums = new Map<protobuf.Enum, EnumShape>();

  message(type: protobuf.Type): MessageShape {
    const known = this.#messages.get(type);
    if (known !== undefined) return known;
    const fields: FieldShape[] = [];
    const byNumber = new Map<number, FieldShape>();
    const byName = new Map<string, FieldShape>();
    const shape: MessageShape = { name: type.fullName.slice(1), fields, byNumber, byName };
    this.#messages.set(type, shape);
    // Extensions are fields of other files' making; they pass as unknown ones.
    const declared = type.fieldsArray.filter(({ declaringField }) => declaringField === null);
    for (const field of declared.sort((a, b) => a.id - b.id)) {
      const compiled = this.#field(field);
      fields.push(compiled);
      byNumber.set(compiled.number, compiled);
      byName.set(compiled.name, compiled);
    }
    return shape;
  }

  #field(field: protobuf.Field): FieldShape {
    const { partOf } = field;
    const value = this.#value(field);
    const canPack = ![WIRE_TYPE.bytes, WIRE_TYPE.start].some((type) => type === wireTypeOf(value));
    // An `optional` of proto3 is told as a oneof of its own.
    const isChoice = partOf !== null && partOf.fieldsArray.length > 1;
    return {
      name: field.protoName ?? field.name,
      number: field.id,
      value,
      cardinality: field.map ? 'map' : field.repeated ? 'repeated' : 'single',
      key: field instanceof protobuf.MapField ? (field.keyType as Scalar) : null,
      isPacked: field.repeated && field.packed && canPack,
      hasPresence: field.hasPresence,
      isRequired: field.required,
      oneof: isChoice ? partOf.name : null,
    };
  }

  #value(field: protobuf.Field): ValueShape {
    const { resolvedType } = field;
    if (resolvedType instanceof protobuf.Enum) {
      return { kind: 'enum', values: this.#enum(resolvedType) };
    }
    if (resolvedType instanceof protobuf.Type) {
      return { kind: 'message', message: this.message(resolvedType), isDelimited: field.delimited };
    }
    const scalar = SCALARS.find((each) => each === field.type);
    if (scalar === undefined) throw compileError(`${field.fullName} has no type`);
    return { kind: 'scalar', scalar };
  }

  #enum(type: protobuf.Enum): EnumShape {
    const known = this.#enums.get(type);
    if (known !== undefined) return known;
    const numbers = new Map(Object.entries(type.values));
    const names = new Map<number, string>();
    for (const [name, number] of numbers) if (!names.has(number)) names.set(number, name);
    const shape: EnumShape = { names, numbers, isClosed: isClosed(type) };
    this.#enums.set(type, shape);
    return shape;
  }
}

/** The library keeps resolved features under a name that its types leave out. */
function isClosed(type: protobuf.Enum): boolean {
  const { _features: features } = type as unknown as {
    readonly _features?: { readonly enum_type?: string };
  };
  return features?.enum_type === 'CLOSED';
}
