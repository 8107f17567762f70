/** Why a value is not of its shape. */
export class ShapeFault {
  /** Path of the field at fault from where the reading began, such as `target.t`; may be empty. */
  readonly field: string;
  readonly message: string;

  constructor(field: string, message: string) {
    this.field = field;
    this.message = message;
  }

  /** The same fault as seen from one step further out. */
  within(step: string): ShapeFault {
    return new ShapeFault(this.field === '' ? step : `${step}.${this.field}`, this.message);
  }
}

/** Counts the entries of the maps that were read. */
export interface Walk {
  mapEntries: number;
}

/** A shape in the published form of the schema. */
export type ShapeDocument = Readonly<Record<string, unknown>>;

/** A declared kind of value: checks what is written, and normalises what was read. */
export interface Shape<T> {
  read(value: unknown, walk: Walk): T | ShapeFault;
  readonly document: ShapeDocument;
}

/** A field that may be absent; absence is never written as null. */
export interface OptionalField<T> {
  readonly optional: Shape<T>;
}

/** Fields of a map type, each with its shape. */
export type RecordFields<T> = {
  readonly [K in keyof T]-?: undefined extends T[K]
    ? OptionalField<Exclude<T[K], undefined>>
    : Shape<T[K]>;
};

export function optional<T>(shape: Shape<T>): OptionalField<T> {
  return { optional: shape };
}

type PlainMap = Readonly<Record<string, unknown>>;

/** Whether a decoded value is a map. */
export function isMap(value: unknown): value is PlainMap {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Uint8Array)
  );
}

/** A map with exactly the declared fields. */
export interface RecordShape<T> extends Shape<T> {
  /** Reads the fields of a map beside those in `start`. */
  readFields(value: PlainMap, start: PlainMap, walk: Walk): T | ShapeFault;
  readonly fieldDocuments: Readonly<Record<string, ShapeDocument>>;
}

/** The shape of a map: unknown fields are refused, absent ones are none. */
export function record<T extends object>(fields: RecordFields<T>): RecordShape<T> {
  const entries = Object.entries<OptionalField<unknown> | Shape<unknown>>(fields);
  const names = new Set(entries.map(([name]) => name));
  const fieldDocuments = Object.fromEntries(
    entries.map(([name, field]) => [
      name,
      'optional' in field ? { ...field.optional.document, optional: true } : field.document,
    ]),
  );
  const readFields = (value: PlainMap, start: PlainMap, walk: Walk): T | ShapeFault => {
    const result: Record<string, unknown> = { ...start };
    for (const name of Object.keys(value)) {
      if (!names.has(name) && !Object.hasOwn(start, name)) {
        return new ShapeFault(name, 'is not a field here');
      }
    }
    walk.mapEntries += Object.keys(value).length;
    for (const [name, field] of entries) {
      const shape = 'optional' in field ? field.optional : field;
      if (!Object.hasOwn(value, name)) {
        if ('optional' in field) continue;
        return new ShapeFault(name, 'is missing');
      }
      const read = shape.read(value[name], walk);
      if (read instanceof ShapeFault) return read.within(name);
      result[name] = read;
    }
    return result as T;
  };
  return {
    readFields,
    fieldDocuments,
    document: { map: fieldDocuments },
    read: (value, walk) =>
      isMap(value) ? readFields(value, {}, walk) : new ShapeFault('', 'is not a map'),
  };
}

/** A union of variants that are their tag alone. */
export type Bare<T extends string> = T extends string ? { readonly t: T } : never;

type Tagged = { readonly t: string };
type Variants<T extends Tagged> = {
  readonly [K in T['t']]: RecordShape<Omit<Extract<T, { readonly t: K }>, 't'>>;
};

/** A map tagged by `t`. */
export interface UnionShape<T> extends Shape<T> {
  readonly tags: ReadonlySet<string>;
}

/** The shape of a tagged union, from its variants without their tag. */
export function union<T extends Tagged>(variants: Variants<T>): UnionShape<T> {
  const known = new Map(Object.entries<RecordShape<object>>(variants));
  const documents = [...known].map(([t, { fieldDocuments }]) => [t, fieldDocuments]);
  return {
    tags: new Set(known.keys()),
    document: { union: Object.fromEntries(documents) },
    read: (value, walk) => {
      if (!isMap(value)) return new ShapeFault('', 'is not a map');
      const { t } = value;
      const variant = typeof t === 'string' ? known.get(t) : undefined;
      if (variant === undefined) return new ShapeFault('t', 'is not a declared tag');
      // The table above says which variant a tag belongs to.
      return variant.readFields(value, { t }, walk) as T | ShapeFault;
    },
  };
}

/** A variant or a map without fields. */
export const nothing: RecordShape<object> = record<object>({});

/** A list; what it holds is read in order. */
export function list<T>(
  element: Shape<T>,
  {
    min = 0,
    max = Number.POSITIVE_INFINITY,
  }: { readonly min?: number; readonly max?: number } = {},
): Shape<readonly T[]> {
  return {
    document: { list: element.document },
    read: (value, walk) => {
      if (!Array.isArray(value)) return new ShapeFault('', 'is not a list');
      if (value.length < min || value.length > max) {
        return new ShapeFault('', 'does not have a permitted number of entries');
      }
      const result: T[] = [];
      for (const [index, entry] of value.entries()) {
        const read = element.read(entry, walk);
        if (read instanceof ShapeFault) return read.within(String(index));
        result.push(read);
      }
      return result;
    },
  };
}
