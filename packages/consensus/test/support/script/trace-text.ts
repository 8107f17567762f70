import type { Configuration, Member } from '../../../src/raft/configuration.ts';
import { decodeConfiguration } from '../../../src/raft/configuration-codec.ts';
import type { EntryBody, LogPosition } from '../../../src/raft/entry.ts';
import type { Input } from '../../../src/raft/input.ts';
import type { MemberId } from '../../../src/raft/member-id.ts';
import type { Message, ReadContext } from '../../../src/raft/message.ts';
import type { CoreEvent, CoreStoreJob, Output, ProposalOutcome } from '../../../src/raft/output.ts';

const ENTRIES_SHOWN = 5;
const PAYLOAD_SHOWN = /^[ -~]{1,12}$/;

/** Number of member `n<number>`. */
export function numberOf(id: MemberId): number {
  return Number(id.nodeId.slice(1));
}

export function configurationText({ voters, outgoing, learners }: Configuration): string {
  const list = (name: string, members: readonly Member[]) =>
    members.length === 0 ? [] : [`${name} ${members.map(numberOf).join(' ')}`];
  const groups = [list('voters', voters), list('outgoing', outgoing), list('learners', learners)];
  return groups.flat().join(', ');
}

const positionText = ({ index, term }: LogPosition) => `${index}/${term}`;
const memberText = (id: MemberId | undefined) => (id === undefined ? 'none' : `${numberOf(id)}`);

function bodyText({ kind, payload }: EntryBody): string {
  if (kind === 'empty') return 'empty';
  if (kind === 'configuration') return `(${configurationText(decodeConfiguration(payload))})`;
  const text = new TextDecoder().decode(payload);
  return PAYLOAD_SHOWN.test(text) ? `"${text}"` : `<${payload.length} bytes>`;
}

function entriesText(first: bigint, entries: readonly EntryBody[]): string {
  const texts = entries.map(
    (entry, at) => `${first + BigInt(at)}/${entry.term} ${bodyText(entry)}`,
  );
  if (texts.length <= ENTRIES_SHOWN) return texts.join(', ');
  return `${texts[0]} .. ${texts.at(-1)} (${texts.length} entries)`;
}

/** A read by its number and the process that asks. */
function readText({ epoch, context }: ReadContext): string {
  return `${context}@process${Number.parseInt(epoch.slice(0, 4), 16)}`;
}

/** A message on one line, with all its fields but the chain value. */
export function messageText(message: Message): string {
  return `${message.kind} t${message.term}${restOf(message)}`;
}

function restOf(message: Message): string {
  switch (message.kind) {
    case 'preVote':
    case 'vote':
      return ` last ${message.lastIndex}/${message.lastTerm}${message.transfer ? ' transfer' : ''}`;
    case 'preVoteResponse':
    case 'voteResponse':
      return message.granted ? ' granted' : ' refused';
    case 'append': {
      const { prevIndex, prevTerm, commit, entries, generation, batch } = message;
      const list = entriesText(prevIndex + 1n, entries);
      return ` prev ${prevIndex}/${prevTerm} commit ${commit} [${list}] #${generation}.${batch}`;
    }
    case 'appendAccepted':
      return ` match ${message.match} #${message.generation}.${message.batch}`;
    case 'appendRejected': {
      const { rejectIndex, hintIndex, hintTerm, generation, batch } = message;
      return ` at ${rejectIndex} hint ${hintIndex}/${hintTerm} #${generation}.${batch}`;
    }
    case 'heartbeat': {
      const { commit, read } = message;
      return ` commit ${commit}${read === undefined ? '' : ` read ${readText(read)}`}`;
    }
    case 'heartbeatResponse':
      return message.read === undefined ? '' : ` read ${readText(message.read)}`;
    case 'readIndex':
      return ` read ${readText(message.read)}`;
    case 'readIndexResponse': {
      const { read, index } = message;
      return ` read ${readText(read)} ${index === undefined ? 'refused' : `at ${index}`}`;
    }
    case 'snapshot': {
      const { snapshot } = message;
      return ` at ${positionText(snapshot)} (${configurationText(snapshot.configuration)})`;
    }
    case 'storeLost':
      return ` match ${message.match}`;
    case 'termNotice':
    case 'timeoutNow':
      return '';
  }
}

/** What a member was given, as the heading of what it made of it. */
export function inputText(number: number, input: Input, tick: number): string {
  switch (input.kind) {
    case 'message':
      return `${memberText(input.from)}>${number} ${messageText(input.message)}`;
    case 'tick':
      return `${number} tick ${tick}`;
    case 'propose':
      return `${number} propose`;
    case 'readIndex':
      return `${number} read ${input.context}`;
    case 'transferLeader':
      return `${number} transfer to ${memberText(input.target)}`;
    case 'persisted':
      return `${number} persisted job ${input.seq}`;
    case 'applied':
      return `${number} applied ${input.index}`;
    case 'snapshotAvailable':
    case 'installed':
      return `${number} ${input.kind} ${positionText(input.snapshot)}`;
    case 'entriesLoaded':
      return `${number} loaded ${input.entries.length} for request ${input.request}`;
    case 'purged':
      return `${number} purged ${positionText(input.through)}`;
    case 'peerUnreachable':
      return `${number} unreachable ${memberText(input.peer)}`;
    case 'snapshotResult':
      return `${number} snapshot to ${memberText(input.peer)} ${input.ok ? 'arrived' : 'failed'}`;
    default:
      return `${number} ${input.kind}`;
  }
}

function jobText(job: CoreStoreJob): string {
  const { seq, truncateFrom, entries, hardState, commitOnPersist, installSnapshot } = job;
  const parts: string[] = [];
  if (truncateFrom !== undefined) parts.push(`cut from ${truncateFrom}`);
  const [first] = entries;
  if (first !== undefined) parts.push(`append ${entriesText(first.index, entries)}`);
  if (hardState !== undefined) {
    const { term, votedFor, commit } = hardState;
    parts.push(`term ${term} vote ${memberText(votedFor)} commit ${commit}`);
  }
  if (commitOnPersist !== undefined) parts.push(`decides ${commitOnPersist}`);
  if (installSnapshot !== undefined) parts.push(`install ${positionText(installSnapshot)}`);
  return `job ${seq}: ${parts.join('; ')}`;
}

function proposalText(outcome: ProposalOutcome): string {
  if (outcome.kind === 'accepted') return `accepted ${outcome.index}/${outcome.term}`;
  const { reason, leader, text } = outcome;
  const hint = leader === undefined ? '' : `, leader ${memberText(leader)}`;
  return `dropped ${reason}${hint}${text === undefined ? '' : `: ${text}`}`;
}

function eventText(event: CoreEvent): string {
  switch (event.kind) {
    case 'campaign':
      return `campaign ${event.phase} t${event.term}`;
    case 'campaignFailed':
      return `campaignFailed ${event.phase} t${event.term}: ${event.reason}`;
    case 'elected':
      return `elected t${event.term}`;
    case 'steppedDown':
      return `steppedDown t${event.term}: ${event.reason}`;
    case 'truncated':
      return `truncated from ${event.from}`;
    case 'configuration':
      return `configuration ${event.record.index}: ${configurationText(event.record.configuration)}`;
    case 'transferAborted':
      return `transferAborted to ${memberText(event.target)}`;
    case 'memberLostEntries':
      return `memberLostEntries ${memberText(event.member)} match ${event.match}`;
    case 'invariantViolated':
      return `invariantViolated: ${event.text}`;
  }
}

/** Everything of an output, one line each, in the order in which it is to be done. */
export function outputLines(output: Output): readonly string[] {
  const { storeJob, commit, softState } = output;
  const lines = [
    ...output.events.map((event) => `event ${eventText(event)}`),
    ...(storeJob === undefined ? [] : [jobText(storeJob)]),
    ...output.messagesNow.map(({ to, message }) => `to ${memberText(to)}: ${messageText(message)}`),
    ...output.messagesAfter.map(
      ({ to, message, seq }) => `after job ${seq} to ${memberText(to)}: ${messageText(message)}`,
    ),
    ...output.snapshotsTo.map(
      ({ to, snapshot }) => `snapshot ${positionText(snapshot)} to ${memberText(to)}`,
    ),
    ...output.entriesRequests.map(
      ({ request, from, through }) => `request ${request}: load ${from} to ${through}`,
    ),
    ...(commit === undefined ? [] : [`commit ${commit}`]),
    ...output.readStates.map(({ context, index }) => `read ${context} at ${index}`),
    ...output.readsRejected.map((context) => `read ${context} refused`),
    ...output.proposals.map(proposalText),
  ];
  if (softState !== undefined) {
    const { role, term, leader } = softState;
    lines.push(`${role} t${term}, leader ${memberText(leader)}`);
  }
  return lines.map((line) => `  ${line}`);
}
