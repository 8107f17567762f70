import type { EmitterBatch } from '@nervix/model';
import { cutText } from '../../diagnostics.js';
import { NumberToken, Word } from '../../tokens.js';
import { type GrammarHost, label, phraseOf, type Rule } from '../grammar-host.js';
import { takeU64 } from '../literals.js';
import { isUnsigned, U64_MAX } from '../unsigned.js';

const PHRASE_BATCH_MAX_MESSAGES = phraseOf('BATCH MAX MESSAGES');
const PHRASE_MAX_SIZE = phraseOf('MAX SIZE');
const MESSAGE_COUNT = label('message_count');
const BYTE_SIZE = label('byte_size_literal');

const MESSAGES_MAX = 65_536n;

/** Units of batch sizes in their spelling and how many bytes they are. */
const UNITS: ReadonlyMap<string, { readonly spelling: string; readonly bytes: bigint }> = new Map(
  ['B', 'KB', 'KiB', 'MB', 'MiB', 'GB', 'GiB', 'TB', 'TiB'].map((spelling, index) => {
    const power = BigInt(Math.ceil(index / 2));
    const bytes = (spelling.includes('i') ? 1024n : 1000n) ** power;
    return [spelling.toUpperCase(), { spelling, bytes }];
  }),
);

/** `BATCH MAX MESSAGES n MAX SIZE s`. */
export function defineBatch(g: GrammarHost): Rule<EmitterBatch> {
  return g.rule('batch', (): EmitterBatch => {
    const first = g.position;
    g.phrase(PHRASE_BATCH_MAX_MESSAGES);
    const maxMessages = takeU64(g, MESSAGE_COUNT);
    if (!g.isRecording && (maxMessages === '0' || !isUnsigned(maxMessages, MESSAGES_MAX))) {
      g.refuse(`BATCH MAX MESSAGES must be between 1 and 65536, found ${cutText(maxMessages)}`);
    }
    g.phrase(PHRASE_MAX_SIZE);
    const sizeFirst = g.position;
    const size = g.choose(0, [
      { ALT: () => g.take(NumberToken, BYTE_SIZE).image + g.take(Word, BYTE_SIZE).image },
      { ALT: () => g.take(Word, BYTE_SIZE).image },
    ]);
    const maxSize = g.isRecording ? '' : batchSize(g, size, sizeFirst);
    return g.close({ maxMessages, maxSize }, first);
  });
}

/** The size with its unit in the usual spelling. */
function batchSize(g: GrammarHost, literal: string, first: number): string {
  const [, digits = '', letters = ''] = /^([0-9]+)([A-Za-z]+)$/u.exec(literal) ?? [];
  const unit = UNITS.get(letters.toUpperCase());
  if (unit === undefined) {
    const form = 'must be a whole number followed by B, KB, KiB, MB, MiB, GB, GiB, TB or TiB';
    g.refuse(`BATCH MAX SIZE '${cutText(literal)}' ${form}`, first);
    return '';
  }
  if (digits === '0') g.refuse('BATCH MAX SIZE must be greater than zero', first);
  if (!isUnsigned(digits, U64_MAX / unit.bytes)) {
    const limit = 'exceeds the largest size a 64-bit byte count can hold';
    g.refuse(`BATCH MAX SIZE '${cutText(literal)}' ${limit}`, first);
  }
  return digits + unit.spelling;
}
