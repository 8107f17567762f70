// Posts the replay over a few keep-alive connections, in order per connection.
import http from 'node:http';

const CONNECTIONS = 8;

function post(url, agent, body) {
  return new Promise((resolve, reject) => {
    const request = http.request(
      url,
      { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
      (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode));
        response.once('error', reject);
      },
    );
    request.once('error', reject);
    request.end(body);
  });
}

/**
 * Sends every post and counts the answers by status.
 *
 * @param {(sent: number) => void} onSent called after each answer
 */
export async function send(url, posts, onSent) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const statuses = new Map();
  let next = 0;
  let answered = 0;
  const work = async () => {
    while (next < posts.length) {
      const { body } = posts[next];
      next += 1;
      const status = await post(url, agent, body);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      answered += 1;
      onSent(answered);
    }
  };
  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
  } finally {
    agent.destroy();
  }
  return statuses;
}
