// The records of the replay: real flights, sent by a sender that is not quite reliable.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);

/** Every how many flights the sender repeats one that it has sent before. */
const REPEAT_EVERY = 40;
/** Every how many flights a broken payload is mixed in. */
const BROKEN_EVERY = 800;

/** Payloads that must not get through, and what is wrong with each. */
export const brokenPayloads = [
  { defect: 'malformed JSON', body: '{"departed_at":"2001-01-01T00:47:00Z","delay":' },
  { defect: 'no JSON at all', body: 'DTW;LAS;66' },
  { defect: 'a field of the wrong type', body: flightBody({ delay: '"late"' }) },
  { defect: 'an unknown field', body: flightBody({ gate: '"B7"' }) },
  { defect: 'a missing field', body: flightBody({ origin: undefined }) },
  { defect: 'a number beyond its type', body: flightBody({ distance: '9223372036854775808' }) },
  { defect: 'bytes that are not UTF-8', body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]) },
  // Well formed and of the right types, so it is accepted; then a cast of the route refuses it.
  { defect: 'a delay of two years', body: flightBody({ delay: '1051200' }), isDecodable: true },
];

function flightBody(change) {
  const fields = {
    departed_at: '"2001-01-01T00:47:00Z"',
    delay: '66',
    distance: '1750',
    origin: '"DTW"',
    destination: '"LAS"',
    ...change,
  };
  const members = Object.entries(fields).filter(([, text]) => text !== undefined);
  return `{${members.map(([name, text]) => `"${name}":${text}`).join(',')}}`;
}

/**
 * The whole replay in order.
 *
 * @returns {Promise<{posts: {body: string | Buffer}[], expected: object}>} the posts, and what must
 *   become of them
 */
export async function readReplay() {
  const folder = path.dirname(require.resolve('vega-datasets'));
  const file = path.join(folder, '..', 'data', 'flights-20k.json');
  const records = JSON.parse(await readFile(file, 'utf8'));
  const posts = [];
  const expected = {
    flights: records.length,
    repeats: 0,
    shortHops: 0,
    undecodable: 0,
    refused: 0,
  };
  const late = new Set();
  for (const [index, record] of records.entries()) {
    const body = toBody(record);
    posts.push({ body });
    const isShort = record.distance < 100;
    if (isShort) expected.shortHops += 1;
    else if (record.delay >= 120) late.add(body);
    if (index % REPEAT_EVERY === REPEAT_EVERY - 1 && !isShort) {
      posts.push({ body });
      expected.repeats += 1;
    }
    if (index % BROKEN_EVERY === BROKEN_EVERY - 1) {
      const broken = brokenPayloads[Math.floor(index / BROKEN_EVERY) % brokenPayloads.length];
      posts.push({ body: broken.body });
      expected[broken.isDecodable ? 'refused' : 'undecodable'] += 1;
    }
  }
  expected.late = late.size;
  return { posts, expected };
}

/** `2001/01/01 00:47` is the data set's spelling of an instant; the pipeline reads RFC 3339. */
function toBody({ date, delay, distance, origin, destination }) {
  const departedAt = `${date.replaceAll('/', '-').replace(' ', 'T')}:00Z`;
  return JSON.stringify({ departed_at: departedAt, delay, distance, origin, destination });
}
