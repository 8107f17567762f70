import type {
  OperationStatement,
  ResolveOperationStatement,
  RevisionSubject,
  ShowAuditStatement,
  ShowOperationsStatement,
  Statement,
  SuffixedStatement,
} from '@nervix/model';
import { stringLiteral } from '../lexical.js';
import { printLiteralBindings } from '../literal-value.js';
import { printMember } from '../member.js';
import { oneLine } from '../one-line.js';
import { printFormat } from './read.js';

/** Prints the statement that another one holds. */
type Print = (statement: Statement) => string;

/** A statement about plans and operations, or one with suffixes. */
export function printOperationStatement(statement: OperationStatement, print: Print): string {
  switch (statement.kind) {
    case 'plan':
    case 'explain': {
      const head = `${statement.kind.toUpperCase()}${printFormat(statement.format)}`;
      return `${head} ${oneLine(print(statement.statement))}`;
    }
    case 'apply_plan':
      return `APPLY PLAN ${stringLiteral(statement.plan)};`;
    case 'approve_plan': {
      const { plan, evidence } = statement;
      const note = evidence === null ? '' : ` EVIDENCE ${stringLiteral(evidence)}`;
      return `APPROVE PLAN ${stringLiteral(plan)}${note};`;
    }
    case 'explain_placement': {
      const { member, format } = statement;
      const subject = member === null ? '' : ` ${printMember(member)}`;
      return `EXPLAIN PLACEMENT${subject}${printFormat(format)};`;
    }
    case 'show_operations':
      return `SHOW OPERATIONS${printRecordSelection(statement)}${printFormat(statement.format)};`;
    case 'describe_operation': {
      const { operation, format } = statement;
      return `DESCRIBE OPERATION ${stringLiteral(operation)}${printFormat(format)};`;
    }
    case 'cancel_operation':
    case 'compensate_operation': {
      const verb = statement.kind === 'cancel_operation' ? 'CANCEL' : 'COMPENSATE';
      return `${verb} OPERATION ${stringLiteral(statement.operation)};`;
    }
    case 'resolve_operation':
      return printResolve(statement);
    case 'describe_revisions': {
      const { subject, format } = statement;
      return `DESCRIBE REVISIONS OF ${printSubject(subject)}${printFormat(format)};`;
    }
    case 'with_suffixes':
      return printSuffixed(statement, print);
  }
}

/** ` WHERE (…) LIMIT n`, as far as there is any. */
export function printRecordSelection({
  filters,
  limit,
}: Pick<ShowAuditStatement | ShowOperationsStatement, 'filters' | 'limit'>): string {
  const where = filters === null ? '' : ` WHERE (${printLiteralBindings(filters)})`;
  return `${where}${limit === null ? '' : ` LIMIT ${limit}`}`;
}

function printResolve(statement: ResolveOperationStatement): string {
  const { operation, step, resolution, evidence } = statement;
  const outcome = `STEP ${step} AS ${resolution} EVIDENCE ${stringLiteral(evidence)}`;
  return `RESOLVE OPERATION ${stringLiteral(operation)} ${outcome};`;
}

function printSubject(subject: RevisionSubject): string {
  switch (subject.kind) {
    case 'domain':
      return `DOMAIN ${subject.domain}`;
    case 'node':
      return `NODE ${subject.node}`;
    case 'pool':
      return `POOL ${subject.pool}`;
    case 'member':
      return printMember(subject.member);
  }
}

function printSuffixed(suffixed: SuffixedStatement, print: Print): string {
  const { statement, acceptStateLoss, wait } = suffixed;
  const loss = acceptStateLoss ? ' ACCEPT STATE LOSS' : '';
  const suffixes = `${loss}${wait === null ? '' : ` WAIT ${wait}`};`;
  return print(statement).slice(0, -1) + suffixes;
}
