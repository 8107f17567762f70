// What compiled expressions cost over columns of a million rows: a filter with arithmetic beside a
// loop over typed arrays written by hand, a text predicate with `upper` beside a loop over strings,
// and compiling a route of fifty expressions beside reading and typing them. Results are compared
// first, and the sides alternate in one run.
import { BatchBuilder, compileProjection } from '@nervix/runtime/engine';
import { alternate, field, median, programOf, rateFigure } from './programs.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 9);
const ROWS = Number(process.env.BENCH_ROWS ?? 1_000_000);
const ROUTE = 50;
const COMPILE_GOAL = 5;

function batchOf(schema, rowOf) {
  const builder = new BatchBuilder(schema);
  for (let row = 0; row < ROWS; row += 1) builder.appendRow(rowOf(row));
  return builder.finish();
}

function filterArithmetic() {
  const schema = { name: 'trips', fields: [field('qty', 'I32'), field('price', 'F64')] };
  const projection = compileProjection({
    input: schema,
    where: programOf('qty > 500 AS I32 AND price < 90.0', schema),
    fields: {
      total: programOf('qty * 3 AS I32 + 7 AS I32', schema),
      paid: programOf('price * (qty AS F64) - 0.5', schema),
    },
  });
  const batch = batchOf(schema, (row) => [(row * 7919) % 1000, ((row * 104_729) % 10_000) / 100]);
  const [quantities, prices] = batch.columns.map(({ values }) => values);
  const byHand = () => {
    const total = new Int32Array(ROWS);
    const paid = new Float64Array(ROWS);
    let count = 0;
    for (let row = 0; row < ROWS; row += 1) {
      const quantity = quantities[row];
      const price = prices[row];
      if (quantity <= 500 || price >= 90) continue;
      total[count] = quantity * 3 + 7;
      paid[count] = price * quantity - 0.5;
      count += 1;
    }
    return { total, paid, count };
  };
  const own = () => projection.run(batch).batch;
  compareNumbers(own(), byHand());
  const [ownTimes, peerTimes] = alternate(rounds, [() => own().recycle(), byHand]);
  return rateFigure({
    bench: 'engine.filter-arithmetic',
    rows: ROWS,
    own: ownTimes,
    peer: peerTimes,
    peerName: 'a loop over typed arrays written by hand',
    goal: 0.5,
  });
}

function compareNumbers(batch, { total, paid, count }) {
  if (batch.rowCount !== count) throw new Error('rows were lost');
  const [ownTotal, ownPaid] = batch.columns.map(({ values }) => values);
  for (let row = 0; row < count; row += 1) {
    if (ownTotal[row] !== total[row] || ownPaid[row] !== paid[row]) throw new Error(`row ${row}`);
  }
}

function textPredicate() {
  const schema = { name: 'texts', fields: [field('text', 'STRING')] };
  const projection = compileProjection({
    input: schema,
    where: programOf("contains(text, 'x')", schema),
    fields: { text: programOf('upper(text)', schema) },
  });
  const texts = Array.from({ length: ROWS }, (_, row) => textOf(row));
  const batch = batchOf(schema, (row) => [texts[row]]);
  const byHand = () => {
    const kept = [];
    for (const text of texts) if (text.includes('x')) kept.push(text.toUpperCase());
    return kept;
  };
  const own = () => projection.run(batch).batch;
  const [result, expected] = [own(), byHand()];
  if (result.rowCount !== expected.length) throw new Error('rows were lost');
  expected.forEach((text, row) => {
    if (result.value('text', row) !== text) throw new Error(`row ${row}`);
  });
  const [ownTimes, peerTimes] = alternate(rounds, [() => own().recycle(), byHand]);
  return rateFigure({
    bench: 'engine.text-predicate',
    rows: ROWS,
    own: ownTimes,
    peer: peerTimes,
    peerName: 'a loop over the same texts as strings',
    goal: 1,
  });
}

/** About 60 characters; six in a hundred hold others than ASCII. */
function textOf(row) {
  const mark = row % 4 === 0 ? 'box' : 'bag';
  const text = `customer ${row} ordered a ${mark} of things for the ship number ${row % 97}`;
  return row % 17 === 3 ? text.replace('ship', 'bateau à voile') : text;
}

function compileRoute() {
  const schema = {
    name: 'wide',
    fields: [field('id', 'I64'), field('n', 'I32'), field('x', 'F64', true), field('t', 'STRING')],
  };
  const texts = Array.from({ length: ROUTE }, (_, index) =>
    [
      `id * ${index + 2} + id % 7`,
      `CASE WHEN n > ${index} AS I32 THEN upper(t) ELSE concat(t, '${index}') END`,
      `coalesce(x, ${index}.5) * 2.0 - sqrt(abs(coalesce(x, 1.0)))`,
      `starts_with(t, 'a${index}') OR n BETWEEN 1 AS I32 AND ${index + 9} AS I32`,
      `substr(trim(t), ${index}, 5)`,
    ].at(index % 5),
  );
  const programs = () => texts.map((text) => programOf(text, schema));
  const typed = programs();
  const fields = Object.fromEntries(typed.map((program, index) => [`f${index}`, program]));
  const compile = () => compileProjection({ input: schema, fields });
  const [own, peer] = alternate(rounds * 5, [compile, programs]);
  const [value, peerValue] = [median(own), median(peer)];
  console.log(
    `engine.compile-route: ${value.toFixed(2)} ms for ${ROUTE} expressions ` +
      `(${Math.min(...own).toFixed(2)}..${Math.max(...own).toFixed(2)}), ` +
      `reading and typing them ${peerValue.toFixed(2)} ms`,
  );
  return {
    bench: 'engine.compile-route',
    value: Number(value.toFixed(3)),
    unit: 'ms',
    peer: 'reading and typing the same expressions',
    peer_value: Number(peerValue.toFixed(3)),
    ratio: Number((value / peerValue).toFixed(2)),
    goal: COMPILE_GOAL,
    holds: value <= COMPILE_GOAL,
  };
}

const figures = [filterArithmetic(), textPredicate(), compileRoute()];
for (const figure of figures) console.log(JSON.stringify(figure));
