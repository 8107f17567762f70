import type { ExpectedPreview, SessionStatement } from '@nervix/model';
import { stringLiteral } from '../lexical.js';

/** A statement about the session it is sent in. */
export function printSessionStatement(statement: SessionStatement): string {
  switch (statement.kind) {
    case 'use':
      return `USE ${statement.domain};`;
    case 'list_domains':
    case 'attach_domain_clock':
    case 'detach_domain_clock':
    case 'begin':
    case 'revert':
      return `${statement.kind.toUpperCase().replaceAll('_', ' ')};`;
    case 'commit':
      return `COMMIT${statement.expect === null ? '' : printExpectation(statement.expect)};`;
    case 'attach_transaction':
      return `ATTACH TRANSACTION ${stringLiteral(statement.transaction)};`;
    case 'upload_resource': {
      const directory = stringLiteral(statement.directory);
      return `UPLOAD RESOURCE ${statement.resource} VERSION ${directory};`;
    }
  }
}

function printExpectation({ id, position, basis }: ExpectedPreview): string {
  return ` EXPECT ${stringLiteral(id)} POSITION ${position} BASIS ${stringLiteral(basis)}`;
}
