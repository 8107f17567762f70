// What the terminal shows: a bar and a table that move on a TTY, plain lines elsewhere.

const BAR_WIDTH = 40;
const TABLE_ROWS = 8;

export const count = (value) => value.toLocaleString('en-US');

function bar(done, total) {
  const filled = Math.round((done / total) * BAR_WIDTH);
  const percent = String(Math.floor((done / total) * 100)).padStart(3);
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${percent}% ${count(done)} posts`;
}

/** Latest window of each airport, worst average first. */
export function windowTable(windows) {
  const worst = [...windows.values()]
    .sort((a, b) => b.average_delay - a.average_delay)
    .slice(0, TABLE_ROWS);
  const cells = worst.map((row) => [
    row.airport,
    count(row.seen),
    row.average_delay.toFixed(1),
    String(row.worst_delay),
    `${row.late}%`,
  ]);
  const heads = ['airport', 'flights seen', 'average delay', 'worst', 'late'];
  const widths = heads.map((head, i) =>
    Math.max(head.length, ...cells.map((row) => row[i].length)),
  );
  const line = (row) =>
    `  ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('   ')}`;
  return [line(heads), ...cells.map(line)];
}

/** Draws progress until `finish`. */
export class Screen {
  #stream;
  #drawnLines = 0;
  #lastTenth = -1;
  #lastDrawMs = 0;

  constructor(stream = process.stdout) {
    this.#stream = stream;
  }

  draw(done, total, windows, force = false) {
    if (!this.#stream.isTTY) {
      const tenth = Math.floor((done / total) * 10);
      if (tenth === this.#lastTenth) return;
      this.#lastTenth = tenth;
      this.#stream.write(`${bar(done, total)}\n`);
      return;
    }
    const now = Date.now();
    if (!force && now - this.#lastDrawMs < 100) return;
    this.#lastDrawMs = now;
    const lines = [bar(done, total), '', ...windowTable(windows)];
    const up = this.#drawnLines > 0 ? `\u001b[${this.#drawnLines}A` : '';
    this.#stream.write(up + lines.map((line) => `\u001b[2K${line}\n`).join(''));
    this.#drawnLines = lines.length;
  }

  /** Leaves the last state in the scroll-back; elsewhere than on a TTY prints the table once. */
  finish(total, windows) {
    this.draw(total, total, windows, true);
    if (!this.#stream.isTTY) this.#stream.write(`\n${windowTable(windows).join('\n')}\n`);
  }
}
