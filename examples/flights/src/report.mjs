// The closing report: where every post went, and what to try next.
import { count } from './screen.mjs';

const SAMPLE_FLIGHT =
  '{"departed_at":"2001-04-01T10:00:00Z","delay":200,"distance":1750,' +
  '"origin":"DTW","destination":"LAS"}';

/** Where the posts went: answers as the sender got them, everything else as the node counted. */
function accountOf({ counters, statuses, bad }) {
  const undecodable = bad.filter(({ operation }) => operation === 'decode').length;
  return {
    received: [...statuses.values()].reduce((sum, value) => sum + value, 0),
    delivered: counters.delivered,
    duplicates: counters.duplicates,
    shortHops: counters.shortHops,
    filtered: counters.duplicates + counters.shortHops,
    undecodable,
    refused: bad.length - undecodable,
    errored: bad.length,
  };
}

function accountRows(account) {
  const { duplicates, shortHops, undecodable, refused } = account;
  return [
    ['received', account.received, 'posts that got an answer'],
    ['delivered', account.delivered, 'unique flights, each in one window'],
    ['filtered', account.filtered, `${count(duplicates)} repeated, ${shortHops} under 100 miles`],
    ['errored', account.errored, `${undecodable} unreadable, ${refused} refused by a cast`],
  ].map(([name, value, note]) => `  ${name.padEnd(10)} ${count(value).padStart(7)}   ${note}`);
}

/** The report of a finished replay, and whether every record is accounted for. */
export function reportLines(replay, alerts) {
  const { statuses, expected, windows, seconds, posts } = replay;
  const account = accountOf(replay);
  const { received, delivered, filtered, errored } = account;
  const sum = delivered + filtered + errored;
  const isExpected =
    account.shortHops === expected.shortHops &&
    account.duplicates === expected.repeats &&
    alerts === expected.late;
  const addsUp = sum === received && received === posts.length && isExpected;
  const verdict = addsUp ? 'it adds up' : `${received} of ${posts.length} posts were answered`;
  const rate = count(Math.round(posts.length / seconds));
  const windowCount = [...windows.values()].reduce((total, { seen }) => total + seen / 100, 0);
  const answers = [...statuses].sort().map(([status, value]) => `${value} x ${status}`);
  const lines = [
    '',
    `Every post and where it went (${rate} posts/s):`,
    ...accountRows(account),
    `  ${delivered} + ${filtered} + ${errored} = ${sum}: ${verdict}`,
    '',
    `Answers of the endpoint: ${answers.join(', ')}.`,
    `Windows of 100 flights:  ${windowCount} from ${windows.size} airports.`,
    `Alerts at the desk:      ${alerts} of ${expected.late} flights two hours late or more.`,
  ];
  return { lines, addsUp };
}

/** The commands a newcomer would try next. */
export function nextSteps(daemon, isKept) {
  if (!isKept) {
    return [
      '',
      'Try next:',
      '  npm start -- --keep                  the same, and the node stays up for curl',
      '  npm run -s nervixd                   a node of your own; the README goes on from there',
      '  npm run -s nervix -- --help          the terminal client',
    ];
  }
  const { pid } = daemon.child;
  const rows = `${daemon.session}/api/v1/domains/flights/relays/late_flights/rows`;
  const client = `npm run -s nervix -- --server ${daemon.session} --domain flights`;
  return [
    '',
    'Try next:',
    `  curl -N -u 'default:${daemon.password}' ${rows}`,
    `  curl -i ${daemon.data}/flights -d '${SAMPLE_FLIGHT}'`,
    `  NERVIX_PASSWORD='${daemon.password}' ${client}`,
    '',
    'The desk that the alerts go to is closed now, so the emitter retries them; DESCRIBE EMITTER',
    `alerts in the client shows it. The node is process ${pid}; end it with: kill ${pid}`,
  ];
}
