import type { SignalingFormat, SignalingProtocolModel, SignalingStep } from '@nervix/model';
import { stringLiteral } from '../lexical.js';
import { printSettings } from '../settings.js';
import { printBinding } from './binding.js';

export function printSignalingProtocol(model: SignalingProtocolModel, create: string): string {
  const { name, format, fail, acceptData, steps, timeout } = model;
  return [
    `${create} SIGNALING PROTOCOL ${name} FORMAT ${printFormat(format)}`,
    `${printFail(fail)} ON CONNECT${printAcceptData(acceptData)}`,
    ...steps.map(printStep),
    ` TIMEOUT ${timeout};`,
  ].join('');
}

function printFormat(format: SignalingFormat): string {
  if (format.kind === 'text') return format.format;
  const { descriptors, config, sendMessage, waitMessage } = format;
  return [
    `PROTOBUF${printBinding('USING RESOURCE', descriptors)} CONFIG ${printSettings(config)}`,
    `SEND MESSAGE ${stringLiteral(sendMessage)} WAIT MESSAGE ${stringLiteral(waitMessage)}`,
  ].join(' ');
}

function printStep(step: SignalingStep): string {
  if (step.kind === 'send') return ` SEND JAQ ${printTexts(step.programs)}`;
  const capture = step.capture === null ? '' : ` CAPTURE ${stringLiteral(step.capture)}`;
  const conditions = `${printFail(step.fail)}${capture}${printAcceptData(step.acceptData)}`;
  return ` WAIT JAQ ${printTexts(step.matchers)}${conditions}`;
}

function printFail(matchers: readonly string[]): string {
  return matchers.length === 0 ? '' : ` FAIL JAQ ${printTexts(matchers)}`;
}

function printAcceptData(acceptData: boolean): string {
  return acceptData ? ' ACCEPT DATA' : '';
}

function printTexts(texts: readonly string[]): string {
  return texts.map(stringLiteral).join(', ');
}
