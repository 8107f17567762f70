import { canonicalName, type SourceSpan } from '@nervix/model';
import { referencedKinds, type ScriptOutline, type StatementOutline } from '@nervix/nspl-parser';

/** A word of a script that defines something or refers to it. */
export interface NamedPlace {
  readonly role: 'definition' | 'reference';
  /** Kind of what is named, as slot labels spell it: `relay`, `wire_json_schema`, `domain`. */
  readonly kind: string;
  readonly name: string;
  readonly span: SourceSpan;
  readonly statement: StatementOutline;
  /** The domain that a USE before it selects; undefined before the first, which may be any. */
  readonly domain: string | undefined;
}

const REFERENCE = 'ref:';
const DEFINITION = '_name';
/** A field is named within its schema; its name alone does not tell which field it is. */
const FIELD = 'ref:schema_field';

/** Kinds that exist once and not in every domain anew. */
const WITHOUT_DOMAIN: ReadonlySet<string> = new Set([
  'delegation',
  'domain',
  'node',
  'policy',
  'pool',
  'project',
  'role',
  'subscription',
  'user',
]);

const known: WeakMap<ScriptOutline, readonly NamedPlace[]> = new WeakMap();

/** Every place of a script that names something, in text order. */
export function namedPlaces(outline: ScriptOutline): readonly NamedPlace[] {
  const found = known.get(outline) ?? [...places(outline)];
  known.set(outline, found);
  return found;
}

function* places(outline: ScriptOutline): Iterable<NamedPlace> {
  let domain: string | undefined;
  for (const statement of outline.statements) {
    const parsed = statement.parsed?.statement;
    if (parsed?.kind === 'use') domain = canonicalName(parsed.domain);
    for (const [index, { label, name, span }] of statement.names.entries()) {
      const shared = { name, span, statement, domain };
      if (label === FIELD) continue;
      if (label.startsWith(REFERENCE)) {
        yield { ...shared, role: 'reference', kind: kindOf(label.slice(REFERENCE.length)) };
      } else if (label.endsWith(DEFINITION) && isOwnName(statement, index)) {
        yield { ...shared, role: 'definition', kind: kindOf(label.slice(0, -DEFINITION.length)) };
      }
    }
  }
}

/**
 * Whether a statement gives what it is about the name at an index: CREATE does with the first, ALTER
 * with the one behind RENAME TO. Others are those of parts or of things outside, such as topics.
 */
function isOwnName({ head, names }: StatementOutline, index: number): boolean {
  if (head === 'CREATE') return index === 0;
  const kind = names[0]?.label.slice(REFERENCE.length);
  return head === 'ALTER' && names[index]?.label === `${kind}${DEFINITION}`;
}

/** A reference that may be to one of several kinds keeps its own spelling. */
function kindOf(spelling: string): string {
  const [kind = spelling, ...others] = referencedKinds(spelling);
  return others.length === 0 ? kind : spelling;
}

/** The place that holds a byte offset; one right behind a name holds it too. */
export function placeAt(outline: ScriptOutline, offset: number): NamedPlace | undefined {
  return namedPlaces(outline).find(({ span }) => span.start <= offset && offset <= span.end);
}

/** Whether two places name the same thing. */
export function namesSame(one: NamedPlace, other: NamedPlace): boolean {
  if (one.name !== other.name || !isSameKind(one.kind, other.kind)) return false;
  if (WITHOUT_DOMAIN.has(one.kind)) return true;
  return one.domain === other.domain || one.domain === undefined || other.domain === undefined;
}

function isSameKind(one: string, other: string): boolean {
  const kinds = referencedKinds(other);
  return referencedKinds(one).some((kind) => kinds.includes(kind));
}

/**
 * The definition that a place refers to or is: the last at or before it, else the first behind it.
 *
 * @param outline the script to search, which need not be the one that holds the place
 */
export function definitionOf(outline: ScriptOutline, place: NamedPlace): NamedPlace | undefined {
  if (place.role === 'definition') return place;
  const definitions = namedPlaces(outline).filter(
    (other) => other.role === 'definition' && namesSame(place, other),
  );
  const isBefore = (other: NamedPlace) => other.span.start < place.span.start;
  return definitions.findLast(isBefore) ?? definitions[0];
}

/** Every place of a script that names the same thing, the given one included. */
export function samePlaces(outline: ScriptOutline, place: NamedPlace): readonly NamedPlace[] {
  return namedPlaces(outline).filter((other) => namesSame(place, other));
}
