import type { ErrorBody, WireDisposition } from '@nervix/protocol';
import { ERROR_CODES, type ErrorCode } from '@nervix/protocol';
import type { FrameDisposition } from '@nervix/protocol/session';
import { describe, expect, test } from 'vitest';
import type { CommandReply } from '../../src/control-plane/control-plane.ts';
import { startSession } from '../support/session.ts';
import { SessionClient } from '../support/session-client.ts';

const COMMAND = { t: 'CommandRequest', query: 'COMMIT;', execution_reference: 'r' } as const;
const expected = { transaction_id: 't', position: 2, planning_basis: 'a'.repeat(64) };
const current = { transaction_id: 't', position: 3, planning_basis: 'b'.repeat(64) };
const frameOf = ({ position, planning_basis, transaction_id }: typeof expected) => ({
  transaction_id,
  position: BigInt(position),
  planning_basis: new Uint8Array(Buffer.from(planning_basis, 'hex')),
});
const stale = { expected: frameOf(expected), current: frameOf(current) };
const transaction = {
  id: 't',
  domain: 'shop',
  state: 'Open',
  accepted_operations: 2,
  applied_operations: 0,
} as const;

/** A session whose commands end as the test says, each answered with its outcome. */
async function open() {
  const { port, plane } = await startSession();
  const client = await SessionClient.connect(port);
  return async (reply: CommandReply) => {
    plane.onExecute = async () => reply;
    const body = await client.ask(COMMAND);
    if (body.t !== 'CommandOutcome') throw new Error(`${body.t} in place of an outcome`);
    return body;
  };
}

const failed = (
  error: Partial<ErrorBody['error']> & { readonly code: ErrorCode },
): CommandReply => ({
  kind: 'failed',
  error: { message: 'text for people', diagnostics: [{ message: 'here' }], ...error },
});
const completed = (disposition: WireDisposition): CommandReply => ({
  kind: 'completed',
  outcome: {
    execution_reference: 'r',
    origin: 'Recovered',
    disposition,
    message: 'text for people',
    diagnostics: [],
  },
});

const OWN: Partial<Record<ErrorCode, readonly [object, FrameDisposition]>> = {
  TRANSACTION_DETACHED: [{ transaction }, { t: 'TransactionDetached', transaction_id: 't' }],
  TRANSACTION_TAKEN_OVER: [{ transaction }, { t: 'TransactionTakenOver', transaction_id: 't' }],
  EXECUTION_REFERENCE_EXPIRED: [{}, { t: 'ExecutionReferenceExpired' }],
  EXECUTION_REFERENCE_CONFLICT: [
    { conflict: 'domain' },
    { t: 'ExecutionReferenceConflict', kind: 'Domain' },
  ],
  PREVIEW_STALE: [
    { expected, current },
    { t: 'PreviewStale', ...stale },
  ],
};

describe('CP-17: a client can decide from the disposition alone', () => {
  test('of a command that fails, by its code', async () => {
    const answered = await open();
    for (const code of Object.keys(ERROR_CODES) as ErrorCode[]) {
      const [facts, disposition] = OWN[code] ?? [{}, { t: 'RequestFailed', code }];
      expect(await answered(failed({ code, ...facts })), code).toMatchObject({
        execution_reference: 'r',
        disposition,
        message: 'text for people',
        diagnostics: [{ message: 'here' }],
      });
    }
  });

  test('of a reference that was used for something else, by what that is', async () => {
    const answered = await open();
    for (const [conflict, kind] of [
      ['owner', 'Owner'],
      ['domain', 'Domain'],
      ['position', 'Position'],
      ['content', 'Content'],
    ] as const) {
      const { disposition } = await answered(
        failed({ code: 'EXECUTION_REFERENCE_CONFLICT', conflict }),
      );
      expect(disposition).toEqual({ t: 'ExecutionReferenceConflict', kind });
    }
  });

  test.each<readonly [WireDisposition, FrameDisposition]>([
    ...[true, false].map((already_existed) => {
      const same = { t: 'CommandCompleted', already_existed } as const;
      return [same, same] as const;
    }),
    ...(['LeadershipLost', 'StillApplying', 'NotYetAuthoritative'] as const).map((cause) => {
      const same = { t: 'OutcomeUnknown', cause } as const;
      return [same, same] as const;
    }),
    [
      { t: 'PreviewStale', expected, current },
      { t: 'PreviewStale', ...stale },
    ],
    [
      { t: 'RequestFailed', code: 'DOMAIN_BUSY' },
      { t: 'RequestFailed', code: 'DOMAIN_BUSY' },
    ],
  ])('of an outcome with %j', async (wire, disposition) => {
    const answered = await open();
    expect(await answered(completed(wire))).toMatchObject({ origin: 'Recovered', disposition });
  });

  test('CP-18: of several statements the last has the disposition and diagnostics of all', async () => {
    const first = {
      disposition: { t: 'CommandCompleted', already_existed: true },
      message: 'one',
      diagnostics: [],
    } as const;
    const last = {
      disposition: { t: 'RequestFailed', code: 'PREVIEW_STALE' },
      message: 'two',
      diagnostics: [{ message: 'here' }],
    } as const;
    const reply = failed({ code: 'PREVIEW_STALE', expected, current, statements: [first, last] });
    const answered = await open();
    const { disposition, statements, diagnostics } = await answered(reply);
    expect(disposition).toEqual({ t: 'PreviewStale', ...stale });
    expect(statements).toMatchObject([
      { message: 'one', disposition: first.disposition },
      { message: 'two', disposition, diagnostics },
    ]);
  });
});
