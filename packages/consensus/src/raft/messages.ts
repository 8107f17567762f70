import type { Message } from './message.ts';

/** The message of a kind. */
export type MessageOf<K extends Message['kind']> = Message & { readonly kind: K };

/** Whether only the leader of its term can have sent the message. */
export function isFromLeader(message: Message): boolean {
  return message.kind === 'append' || message.kind === 'heartbeat' || message.kind === 'snapshot';
}

/**
 * Whether the term of the message is one that its sender has not entered, so that nobody else
 * enters it for that reason.
 */
export function isWithoutTerm(message: Message): boolean {
  if (message.kind === 'preVote') return true;
  return message.kind === 'preVoteResponse' && message.granted;
}
