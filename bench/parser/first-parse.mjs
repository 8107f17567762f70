// Run in a process of its own: time from nothing loaded to the first statement read, in milliseconds.
const [parser, text] = process.argv.slice(2);
const startedAt = performance.now();
const { load } = await import('./parsers.mjs');
const parse = await load(parser);
parse(text);
console.log(performance.now() - startedAt);
