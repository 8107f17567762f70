import type { ServerResponse } from 'node:http';
import type { TransactionStatus } from '@nervix/protocol';
import { API_PATHS } from '@nervix/protocol';
import { completed, FakeServer, type SeenRequest, sendError, sendJson } from './fake-server.js';

const isBad = /\bbad\b/;

/** Answers of a small server: it keeps one transaction and refuses statements that say `bad`. */
class CommandAnswers {
  #transaction: TransactionStatus | undefined;

  answer(request: SeenRequest, response: ServerResponse): void {
    if (request.path === API_PATHS.domains) {
      const domains = [
        { domain: 'shop', status: 'Running', pace: { t: 'Unpaced' }, generation: 1 },
      ];
      sendJson(response, 200, { domains });
      return;
    }
    const { query } = request.command;
    const bad = isBad.exec(query);
    if (bad !== null) {
      const span = { start: bad.index, end: bad.index + 3 };
      const message = "schema 'bad' does not exist";
      sendError(response, 'INVALID_MODEL', message, { diagnostics: [{ message, span }] });
      return;
    }
    const transaction = this.#advance(request, response);
    if (transaction === 'refused') return;
    const verb = query.replace(/;$/, '').split(/\s+/).slice(0, 2).join(' ').toLowerCase();
    const more = transaction === undefined ? {} : { transaction };
    sendJson(response, 200, completed(request, `done: ${verb}`, more));
  }

  #advance(
    request: SeenRequest,
    response: ServerResponse,
  ): TransactionStatus | undefined | 'refused' {
    const { query, transaction: id, expected_transaction_position: position } = request.command;
    const verb = query.replace(/;$/, '').trim().toUpperCase();
    if (verb === 'BEGIN') {
      this.#transaction = {
        id: 'tx-1',
        domain: request.command.domain ?? '',
        state: 'Open',
        accepted_operations: 0,
        applied_operations: 0,
      };
      return this.#transaction;
    }
    if (id === undefined) return undefined;
    const current = this.#transaction;
    if (current?.id !== id) {
      sendError(response, 'TRANSACTION_STATE', `transaction ${id} is not open`);
      return 'refused';
    }
    if (verb === 'COMMIT' || verb === 'REVERT') {
      this.#transaction = undefined;
      return { ...current, state: verb === 'COMMIT' ? 'Committed' : 'Reverted' };
    }
    if (position !== current.accepted_operations) {
      sendError(response, 'POSITION_CHANGED', `the position is ${current.accepted_operations}`);
      return 'refused';
    }
    this.#transaction = { ...current, accepted_operations: current.accepted_operations + 1 };
    return this.#transaction;
  }
}

export function startCommandServer(): Promise<FakeServer> {
  const answers = new CommandAnswers();
  return FakeServer.start((request, response) => answers.answer(request, response));
}
