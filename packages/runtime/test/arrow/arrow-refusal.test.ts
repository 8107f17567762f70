import {
  Table,
  TimestampNanosecond,
  tableFromIPC,
  tableToIPC,
  vectorFromArray,
} from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { readArrowStream } from '../../src/arrow/arrow-reader.js';

function streamOf(zone: string, format: 'file' | 'stream' = 'stream'): Uint8Array {
  const at = vectorFromArray([1], new TimestampNanosecond(zone));
  return tableToIPC(new Table({ at, to: at }), format);
}

/** A stream whose two fields have one name: the names are of one length. */
function repeatedName(): Uint8Array {
  const stream = Buffer.from(streamOf('UTC'));
  const name = Buffer.from([2, 0, 0, 0, 0x74, 0x6f, 0]);
  const at = stream.indexOf(name);
  if (at < 0) throw new Error('no name');
  stream.set([0x61, 0x74], at + 4);
  return stream;
}

describe('streams that the reader refuses', () => {
  test.each(['UTC', 'Etc/UTC', '+00:00'])('times of %s are taken', (zone) => {
    expect(readArrowStream(streamOf(zone))).toMatchObject({ kind: 'read' });
  });

  test.each(['Europe/Berlin', '+05:30', 'utc '])('times of %s are not', (zone) => {
    expect(readArrowStream(streamOf(zone))).toMatchObject({
      kind: 'refused',
      reason: "field 'at' holds times other than UTC nanoseconds",
    });
  });

  test('two fields of one name', () => {
    const stream = repeatedName();
    expect(tableFromIPC(stream).schema.fields.map(({ name }) => name)).toEqual(['at', 'at']);
    expect(readArrowStream(stream)).toMatchObject({
      kind: 'refused',
      reason: "two fields are named 'at'",
    });
  });

  test('a file in place of a stream', () => {
    expect(readArrowStream(streamOf('UTC', 'file'))).toEqual({
      kind: 'refused',
      reason: 'bytes of the Arrow file format, which is no stream',
      at: 0,
    });
  });
});
