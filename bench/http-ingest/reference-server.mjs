// The reference: a bare node:http server that reads every body, parses each record and counts it.
// Prints its port on the first line; `GET /count` answers the records parsed so far.
import { createServer } from 'node:http';

let count = 0;

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(String(count));
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const text = (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)).toString('utf8');
    let start = 0;
    while (start < text.length) {
      let end = text.indexOf('\n', start);
      if (end < 0) end = text.length;
      if (JSON.parse(text.slice(start, end)).id !== undefined) count += 1;
      start = end + 1;
    }
    response.writeHead(202);
    response.end();
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.on('SIGTERM', () => server.close(() => process.exit(0)).closeAllConnections());
