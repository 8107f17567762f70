import { type DataType, type IntegerType, integerBits } from '@nervix/model';

/**
 * Why a value cannot stand in a field, or undefined. It never tells the value.
 *
 * @param value in the form of a column's `Value`, of whatever origin
 */
export function valueDefect(
  value: unknown,
  type: DataType,
  isOptional: boolean,
): string | undefined {
  if (value === null) return isOptional ? undefined : 'is null, but not optional';
  if (typeof type !== 'string') return listDefect(value, type);
  switch (type) {
    case 'BOOL':
      return typeof value === 'boolean' ? undefined : 'is no boolean';
    case 'STRING':
      if (typeof value !== 'string') return 'is no text';
      return value.isWellFormed() ? undefined : 'is a text with a lone surrogate';
    case 'BYTES':
      return value instanceof Uint8Array ? undefined : 'is no Uint8Array';
    case 'F64':
      return typeof value === 'number' ? undefined : 'is no number';
    case 'F32':
      if (typeof value !== 'number') return 'is no number';
      return isSingle(value) ? undefined : 'is out of the range of F32';
    case 'DATETIME':
      return wideDefect(value, 'I64', 'DATETIME');
    case 'I64':
    case 'U64':
      return wideDefect(value, type, type);
    default:
      return narrowDefect(value, type);
  }
}

type WideType = 'I64' | 'U64';

function isSingle(value: number): boolean {
  return !Number.isFinite(value) || Number.isFinite(Math.fround(value));
}

function wideDefect(value: unknown, range: WideType, shown: string): string | undefined {
  if (typeof value !== 'bigint') return `is no bigint, as ${shown} is`;
  const fits = range === 'I64' ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value);
  return fits === value ? undefined : `is out of the range of ${shown}`;
}

function narrowDefect(value: unknown, type: IntegerType): string | undefined {
  if (!Number.isInteger(value)) return `is no whole number, as ${type} is`;
  const number = value as number;
  const isUnsigned = type.startsWith('U');
  const size = 2 ** integerBits(type);
  const [min, end] = isUnsigned ? [0, size] : [-size / 2, size / 2];
  return number < min || number >= end ? `is out of the range of ${type}` : undefined;
}

function listDefect(value: unknown, type: Exclude<DataType, string>): string | undefined {
  if (!Array.isArray(value)) return 'is no list';
  if (type.kind === 'array' && value.length !== type.length) {
    return `has ${value.length} elements, not ${type.length}`;
  }
  for (let index = 0; index < value.length; index += 1) {
    const defect = valueDefect(value[index], type.element, false);
    if (defect !== undefined) return `has an element ${index} that ${defect}`;
  }
  return undefined;
}
