// The reference of the workload filter-map: the loop that one writes by hand. It stands alone, so that a
// process which runs it loads nothing else.
export function loop(blocks) {
  const written = [];
  for (const block of blocks) {
    const text = block.toString();
    let out = '';
    for (let start = 0; start < text.length; ) {
      const end = text.indexOf('\n', start);
      const record = JSON.parse(text.slice(start, end));
      start = end + 1;
      if (record.amount <= 500 || !record.value.includes('x')) continue;
      const { id, key, value, amount } = record;
      out += `${JSON.stringify({ id, key, value: value.toUpperCase(), total: amount * 3 })}\n`;
    }
    written.push(Buffer.from(out));
  }
  return written;
}
