import { invalidStream } from './archive-fault.js';

const SPACE = 0x20;
const NEWLINE = 0x0a;
const EQUALS = 0x3d;
const text = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Reads the records of an extended header (POSIX.1-2001): `<length> <key>=<value>\n` each, where the
 * length counts the bytes of the whole record. A value may hold any bytes, line ends and NUL too.
 *
 * @returns values by key, the last one of equal keys; bytes that are no UTF-8 come out as U+FFFD
 * @throws ArchiveFault for bytes that are no such records
 */
export function readPaxRecords(bytes: Uint8Array): ReadonlyMap<string, string> {
  const records = new Map<string, string>();
  let rest = bytes;
  while (rest.length > 0) {
    const length = lengthOf(rest);
    const record = rest.subarray(0, length);
    const key = record.indexOf(SPACE) + 1;
    const equals = record.indexOf(EQUALS, key);
    if (length > rest.length || equals < 0 || record[length - 1] !== NEWLINE) throw unreadable();
    records.set(
      text.decode(record.subarray(key, equals)),
      text.decode(record.subarray(equals + 1, length - 1)),
    );
    rest = rest.subarray(length);
  }
  return records;
}

/** Bytes of the record that comes first. */
function lengthOf(bytes: Uint8Array): number {
  // More digits than these tell no length of something that is held in memory.
  const digits = text.decode(bytes.subarray(0, Math.min(10, bytes.indexOf(SPACE))));
  if (!/^[1-9][0-9]*$/u.test(digits)) throw unreadable();
  return Number(digits);
}

function unreadable(): Error {
  return invalidStream('this is no tar archive: an extended header holds no records');
}
