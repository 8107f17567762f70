// The sides of the workload filter-map: records whose value holds an x and whose amount is above 500
// leave with their value in upper case and a total.
import { BatchBuilder, compileDecoder, compileEncoder, decodeLines } from '@nervix/runtime/codec';
import { compileProjection } from '@nervix/runtime/engine';
import { field } from './schemas.mjs';

export { loop } from './filter-map-loop.mjs';

export const SCHEMA = {
  name: 'event',
  fields: [
    field('id', 'I64'),
    field('key', 'STRING'),
    field('value', 'STRING'),
    field('amount', 'I64'),
    field('ts', 'DATETIME'),
  ],
};

/** Expressions over records of the schema, by the name of the program. */
export const EXPRESSIONS = {
  where: "amount > 500 AND contains(value, 'x')",
  id: 'id',
  key: 'key',
  value: 'upper(value)',
  total: 'amount * 3',
};

/** Makes a function from blocks of lines to blocks of lines of the typed programs. */
export function engine({ where, ...fields }) {
  const codec = { name: 'lines', format: 'JSON', schema: 'event', strict: true };
  const decoder = compileDecoder(codec, SCHEMA);
  const builder = new BatchBuilder(SCHEMA);
  const projection = compileProjection({ input: SCHEMA, where, fields });
  const encoder = compileEncoder({ ...codec, schema: 'out' }, projection.output);
  return (blocks) => {
    const written = [];
    for (const block of blocks) {
      const failure = decodeLines(decoder, block, builder);
      if (failure !== undefined) throw new Error(failure.failure.message);
      const decoded = builder.finish();
      const { batch, failures } = projection.run(decoded);
      if (failures.length > 0) throw new Error(failures[0].detail);
      const { bytes, refused } = encoder.encodeLines(batch);
      if (refused.length > 0) throw new Error(refused[0].failure.message);
      if (bytes !== null) written.push(bytes);
      for (const done of [decoded, batch]) done.recycle();
    }
    return written;
  };
}

/** Texts of the records in blocks of lines, sorted: equal where the same records were written. */
export const textsOf = (blocks) =>
  Buffer.concat(blocks)
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { id, key, value, total } = JSON.parse(line);
      return JSON.stringify([id, key, value, total]);
    })
    .sort();
