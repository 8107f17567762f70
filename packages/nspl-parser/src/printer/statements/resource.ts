import { type ResourceStatement, statementWords } from '@nervix/model';
import { createWords } from '../create-words.js';

export function printResourceStatement(statement: ResourceStatement): string {
  switch (statement.kind) {
    case 'create_resource':
      return `${createWords(statement.ifNotExists)} RESOURCE ${statement.name};`;
    case 'describe_resource': {
      const version = statement.version === null ? '' : ` VERSION ${statement.version}`;
      return `DESCRIBE RESOURCE ${statement.name}${version};`;
    }
    case 'rebind_resource': {
      const { resource, version, members } = statement;
      const list = members?.map(({ kind, name }) => `${statementWords(kind)} ${name}`).join(', ');
      const selection = list === undefined ? '' : ` FOR ${list}`;
      return `REBIND RESOURCE ${resource} TO VERSION ${version}${selection};`;
    }
  }
}
