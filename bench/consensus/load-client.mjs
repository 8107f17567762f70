// Closed loop of commands over one connection to a member: as many are under way as there are
// clients, and each answer brings the next one. Prints how many were answered and how late.
// `node load-client.mjs <port> <clients> <seconds> <value bytes>`
import { connect } from 'node:net';

const KEYS = 10_000;
const KEY_BYTES = 16;
const [port, clients, seconds, valueBytes] = process.argv.slice(2).map(Number);
const frameBytes = 8 + KEY_BYTES + valueBytes;
const sentAt = new Float64Array(clients);
const latencies = [];
let isOver = false;
let underWay = 0;
let pending = Buffer.alloc(0);

const socket = connect({ host: '127.0.0.1', port, noDelay: true });
await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));

/** One command for each of the clients that were answered, sent together. */
function send(ids) {
  const bytes = Buffer.alloc(frameBytes * ids.length, 0x78);
  const now = performance.now();
  ids.forEach((id, index) => {
    const at = index * frameBytes;
    bytes.writeUInt32BE(frameBytes - 8, at);
    bytes.writeUInt32BE(id, at + 4);
    const key = `key-${String(Math.floor(Math.random() * KEYS)).padStart(KEY_BYTES - 4, '0')}`;
    bytes.write(key, at + 8, 'latin1');
    bytes.writeDoubleBE(now, at + 8 + KEY_BYTES);
    sentAt[id] = now;
  });
  underWay += ids.length;
  socket.write(bytes);
}

function report(elapsed) {
  latencies.sort((a, b) => a - b);
  const at = (part) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))];
  console.log(
    JSON.stringify({
      count: latencies.length,
      rate: latencies.length / elapsed,
      p50: at(0.5),
      p99: at(0.99),
    }),
  );
  process.exit(0);
}

const begun = performance.now();
socket.on('close', () => {
  console.error('the member closed the connection');
  process.exit(1);
});
socket.on('data', (chunk) => {
  pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
  const now = performance.now();
  const answered = [];
  let at = 0;
  for (; pending.length - at >= 4; at += 4) {
    const id = pending.readUInt32BE(at);
    latencies.push(now - sentAt[id]);
    answered.push(id);
  }
  pending = pending.subarray(at);
  underWay -= answered.length;
  if (!isOver && now - begun > seconds * 1_000) isOver = true;
  if (!isOver) send(answered);
  else if (underWay === 0) report((now - begun) / 1_000);
});
send(Array.from({ length: clients }, (_, id) => id));
