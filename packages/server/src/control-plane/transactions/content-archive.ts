import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { assert } from '@nervix/model';
import type { TopologySide, TransactionReport } from '@nervix/planner';
import { Packr } from 'msgpackr';
import { contentKey } from '../../replicated-state/record-keys.js';
import type { ContentRecord, ContentReference } from '../../replicated-state/records.js';
import type { ReplicatedState } from '../../replicated-state/replicated-state.js';

/** Bytes of a piece at most, so that log entries and snapshots stay of a bounded size. */
const PIECE_BYTES = 256 * 1_024;

const packr = new Packr({ useRecords: false, mapsAsObjects: true, variableMapSize: true });

/** A value ready to be stored: where it will be found, and the records that make it up. */
export interface ArchivedValue {
  readonly reference: ContentReference;
  readonly records: readonly ContentRecord[];
}

/** Takes plain data apart into pieces that are named by what they hold. */
export function archive(transaction: string, value: unknown): ArchivedValue {
  return archiveBytes(transaction, packr.pack(value));
}

function archiveBytes(transaction: string, whole: Uint8Array | string): ArchivedValue {
  const bytes = deflateRawSync(whole, { level: 1 });
  const records: ContentRecord[] = [];
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    const piece = bytes.subarray(start, start + PIECE_BYTES);
    const digest = createHash('sha256').update(piece).digest('hex');
    records.push({ kind: 'content', transaction, digest, bytes: piece });
  }
  return { reference: records.map(({ digest }) => digest), records };
}

/** Reads an archived value back; undefined where a piece of it is gone. */
export function readArchive<Value>(
  state: Pick<ReplicatedState, 'contents'>,
  transaction: string,
  reference: ContentReference,
): Value | undefined {
  const bytes = readBytes(state, transaction, reference);
  return bytes === undefined ? undefined : (packr.unpack(bytes) as Value);
}

function readBytes(
  state: Pick<ReplicatedState, 'contents'>,
  transaction: string,
  reference: ContentReference,
): Buffer | undefined {
  const contents = state.contents(transaction);
  const pieces = reference.map((digest) => contents.get(digest)?.bytes);
  if (pieces.includes(undefined)) return undefined;
  return inflateRawSync(Buffer.concat(pieces.filter((piece) => piece !== undefined)));
}

/** Documents are stored as JSON: every append writes one, and nothing else is printed as fast. */
function archiveDocument(transaction: string, value: unknown): ArchivedValue {
  return archiveBytes(transaction, JSON.stringify(value));
}

function readDocument<Value>(...place: Parameters<typeof readBytes>): Value | undefined {
  const bytes = readBytes(...place);
  return bytes === undefined ? undefined : (JSON.parse(bytes.toString()) as Value);
}

/** A side of a topology that is stored by itself: steps and revisions of a report share equal ones. */
interface ArchivedSide {
  readonly $side: ContentReference;
}

/** A report ready to be stored, with the digests of the graphs that it refers to. */
export interface ArchivedReport extends ArchivedValue {
  readonly graphs: ContentReference;
}

/** Archives a report, each graph of it by itself. */
export function archiveReport(transaction: string, report: TransactionReport): ArchivedReport {
  const graphs = new Map<string, ContentRecord>();
  const stripped = withSides(report, (graph) => {
    if (graph.nodes.length === 0) return graph;
    const { reference, records } = archiveDocument(transaction, graph);
    for (const record of records) graphs.set(record.digest, record);
    return { $side: reference };
  });
  const whole = archiveDocument(transaction, stripped);
  return {
    reference: whole.reference,
    records: [...graphs.values(), ...whole.records],
    graphs: [...graphs.keys()],
  };
}

/** Reads a report back whole; undefined where any part of it is gone. */
export function readReport(
  state: Pick<ReplicatedState, 'contents'>,
  transaction: string,
  reference: ContentReference,
): TransactionReport | undefined {
  const stored = readDocument<TransactionReport>(state, transaction, reference);
  if (stored === undefined) return undefined;
  let isWhole = true;
  const report = withSides(stored, (graph) => {
    if (!('$side' in graph)) return graph;
    const side = readDocument<TopologySide>(state, transaction, (graph as ArchivedSide).$side);
    isWhole &&= side !== undefined;
    return side ?? graph;
  });
  return isWhole ? report : undefined;
}

function withSides(
  report: TransactionReport,
  replace: (side: TopologySide) => TopologySide | ArchivedSide,
): TransactionReport {
  const execution_steps = report.execution_steps.map((step) => {
    const { effects } = step.planned;
    const { before, after } = effects.topology;
    const topology = { before: replace(before), after: replace(after) };
    return { ...step, planned: { ...step.planned, effects: { ...effects, topology } } };
  });
  return { ...report, execution_steps } as TransactionReport;
}

/** The records to put and the keys to remove with a record that refers to contents. */
export interface ContentChange {
  readonly put: readonly ContentRecord[];
  readonly remove: readonly string[];
}

/**
 * What becomes of the contents of a transaction or a command when its next record is written: what
 * that refers to is kept or put, everything else goes.
 *
 * @param references digests that the next record refers to
 * @param fresh contents that may not be stored yet
 */
export function contentChange(
  state: Pick<ReplicatedState, 'contents'>,
  id: string,
  references: readonly string[],
  fresh: readonly ContentRecord[] = [],
): ContentChange {
  const stored = state.contents(id);
  const added = new Map(fresh.map((record) => [record.digest, record]));
  const kept = new Set(references);
  for (const digest of kept) {
    const isThere = stored.has(digest) || added.has(digest);
    assert(isThere, 'a record refers only to contents that are there');
  }
  return {
    put: [...added.values()].filter(({ digest }) => kept.has(digest) && !stored.has(digest)),
    remove: [...stored.keys()]
      .filter((digest) => !kept.has(digest))
      .map((digest) => contentKey(id, digest)),
  };
}
