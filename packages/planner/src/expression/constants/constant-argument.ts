import {
  type ConstantRule,
  formatReadingOf,
  networkDefect,
  readDatetimeFormat,
  readTimeZone,
  type TypedExpression,
} from '@nervix/model';
import { CALENDAR_UNITS, DATE_PARTS, DISAMBIGUATIONS, FIXED_UNITS } from './datetime-units.js';

/** The argument in canonical spelling, or why it is refused as text. */
type Reading = TypedExpression | string;

/** An argument that has to be constant. */
export interface ConstantArgument {
  readonly functionName: string;
  /** Counted from 1. */
  readonly position: number;
  readonly rule: ConstantRule;
  readonly value: TypedExpression;
}

/** Reads an argument that has to be constant, except those of aggregates and hash maps. */
export function readConstant(argument: ConstantArgument): Reading {
  const { rule, value } = argument;
  switch (rule) {
    case 'calendar_unit':
      return oneOf(argument, 'unit', CALENDAR_UNITS);
    case 'fixed_unit':
      return oneOf(argument, 'unit', FIXED_UNITS);
    case 'date_part':
      return oneOf(argument, 'part', DATE_PARTS);
    case 'disambiguation':
      return oneOf(argument, 'disambiguation', DISAMBIGUATIONS);
    case 'time_zone':
      return zone(argument);
    case 'written_format':
    case 'read_format':
      return format(argument);
    case 'bin_width':
      return binWidth(argument);
    case 'network':
      return network(argument);
    default:
      return value;
  }
}

function literalText({
  functionName,
  position,
  value,
}: ConstantArgument): { text: string } | string {
  if (value.kind === 'literal' && value.type === 'STRING' && typeof value.value === 'string') {
    return { text: value.value };
  }
  return `function '${functionName}' argument ${position} must be a string literal`;
}

function respelled(value: TypedExpression, text: string): TypedExpression {
  return value.kind === 'literal' ? { ...value, value: text } : value;
}

function oneOf(argument: ConstantArgument, what: string, words: readonly string[]): Reading {
  const written = literalText(argument);
  if (typeof written === 'string') return written;
  const text = written.text.toLowerCase();
  if (words.includes(text)) return respelled(argument.value, text);
  const expected = `expected one of ${words.join(', ')}`;
  return `function '${argument.functionName}' does not accept ${what} '${written.text}'; ${expected}`;
}

function zone(argument: ConstantArgument): Reading {
  const written = literalText(argument);
  if (typeof written === 'string') return written;
  const name = readTimeZone(written.text);
  if (name !== undefined) return respelled(argument.value, name);
  return (
    `function '${argument.functionName}' does not accept time zone '${written.text}'; ` +
    "expected an IANA time zone name, UTC, or a UTC offset such as '+05:30'"
  );
}

function format(argument: ConstantArgument): Reading {
  const written = literalText(argument);
  if (typeof written === 'string') return written;
  const outcome = readDatetimeFormat(written.text);
  const defect =
    outcome.kind === 'defect' ? outcome.defect : readingDefect(argument, outcome.parts);
  if (defect === undefined) return argument.value;
  return `function '${argument.functionName}' does not accept format '${written.text}': ${defect}`;
}

function readingDefect(
  { rule }: ConstantArgument,
  parts: Parameters<typeof formatReadingOf>[0],
): string | undefined {
  if (rule === 'written_format') return undefined;
  const reading = formatReadingOf(parts);
  return typeof reading === 'string' ? reading : undefined;
}

function binWidth({ functionName, position, value }: ConstantArgument): Reading {
  const isPositive =
    value.kind === 'literal' && value.type === 'I64' && BigInt(String(value.value)) > 0n;
  if (isPositive) return value;
  return `function '${functionName}' argument ${position} must be a positive integer literal`;
}

/** A network may also come with each row. */
function network({ functionName, value }: ConstantArgument): Reading {
  if (value.kind !== 'literal' || typeof value.value !== 'string') return value;
  const defect = networkDefect(value.value);
  return defect === undefined
    ? value
    : `function '${functionName}' network '${value.value}' ${defect}`;
}

/**
 * Whether a format and a zone go together: a format that reads no offset needs a zone, one that does
 * takes none.
 */
export function zoneDefect(args: readonly TypedExpression[]): string | undefined {
  const [written, , zoneArgument] = args;
  if (written?.kind !== 'literal' || typeof written.value !== 'string') return undefined;
  const outcome = readDatetimeFormat(written.value);
  if (outcome.kind === 'defect') return undefined;
  const reading = formatReadingOf(outcome.parts);
  if (typeof reading === 'string') return undefined;
  const isGiven = zoneArgument !== undefined;
  return reading.isZoned === isGiven ? zoneText(written.value, reading.isZoned) : undefined;
}

function zoneText(format: string, isZoned: boolean): string {
  const subject = `function 'parse_datetime' format '${format}'`;
  return isZoned
    ? `${subject} reads an offset or an instant and takes no time zone`
    : `${subject} reads no offset and requires a time zone`;
}
