import {
  type AlterDomainStatement,
  type CreateDomainStatement,
  type DomainStatement,
  printClockDuration,
  type StartStatement,
} from '@nervix/model';
import { createWords } from '../create-words.js';
import { floatLiteral, stringLiteral } from '../lexical.js';

export function printDomainStatement(statement: DomainStatement): string {
  switch (statement.kind) {
    case 'create_domain':
      return printCreateDomain(statement);
    case 'drop_domain':
      return `DROP DOMAIN ${statement.domain}${statement.cascade ? ' CASCADE' : ''};`;
    case 'promote_domain':
      return `PROMOTE DOMAIN ${statement.from} TO ${statement.to};`;
    case 'alter_domain':
      return `ALTER DOMAIN SET ${printSetting(statement.setting)};`;
    case 'describe_domain':
      return 'DESCRIBE DOMAIN;';
    case 'start':
      return printStart(statement);
    case 'stop':
      return 'STOP;';
  }
}

function printCreateDomain({ ifNotExists, name, pace, placement }: CreateDomainStatement): string {
  const policy = placement === 'NEUTRAL' ? '' : ` PLACEMENT ${placement}`;
  const create = createWords(ifNotExists);
  if (pace.kind === 'unpaced') return `${create} UNPACED DOMAIN ${name}${policy};`;
  const period = printClockDuration(BigInt(pace.periodNanos));
  const skew = printClockDuration(BigInt(pace.skewNanos));
  return `${create} PACED DOMAIN ${name} WITH PERIOD ${period} SKEW ${skew}${policy};`;
}

function printSetting(setting: AlterDomainStatement['setting']): string {
  switch (setting.kind) {
    case 'placement':
      return `PLACEMENT ${setting.policy}`;
    case 'class':
      return `CLASS ${setting.name}`;
    case 'owner_loss':
      return `ON OWNER LOSS ${setting.reaction}`;
  }
}

function printStart({ at }: StartStatement): string {
  if (at === null) return 'START;';
  const instant = at.instant === null ? 'NOW' : stringLiteral(at.instant);
  return `START AT ${instant} TIME RATE ${floatLiteral(at.timeRate)};`;
}
