import { integerBits, isIntegerType, type TypedCall } from '@nervix/model';
import { md5 } from '@noble/hashes/legacy.js';
import { encodeText } from '../column/text.js';
import { overflow } from '../program/row-fault.js';
import { argumentType, type Kernel, type KernelFamily, plain } from './kernel.js';
import { printHex } from './octets.js';
import * as text from './text-functions.js';

type Count = number | bigint;

/** Kernels of the functions over STRING. */
export const TEXT_KERNELS: KernelFamily = {
  lower: plain((value: string) => value.toLowerCase()),
  upper: plain((value: string) => value.toUpperCase()),
  initcap: plain(text.initcapText),
  trim: plain((value: string) => text.trimText(value, true, true)),
  ltrim: plain((value: string) => text.trimText(value, true, false)),
  rtrim: plain((value: string) => text.trimText(value, false, true)),
  length: plain((value: string) => BigInt(text.characterCount(value))),
  octet_length: plain((value: string) => BigInt(text.textBytes(value))),
  bit_length: plain((value: string) => BigInt(text.textBytes(value)) * 8n),
  ascii: plain((value: string) => BigInt(value.codePointAt(0) ?? 0)),
  left: plain((value: string, count: Count) => text.leftText(value, text.countArgument(count))),
  right: plain((value: string, count: Count) => text.rightText(value, text.countArgument(count))),
  substr:
    () =>
    ([value, start, length]) =>
      text.substringText(
        value as string,
        text.countArgument(start as Count),
        length === undefined ? null : text.countArgument(length as Count),
      ),
  repeat: plain((value: string, count: Count) => text.repeatText(value, text.countArgument(count))),
  replace: plain(text.replaceText),
  reverse: plain(text.reverseText),
  normalize_nfc: plain(text.normalizeText),
  lpad: plain((value: string, length: Count, fill: string) =>
    text.padText(value, text.countArgument(length), fill, true),
  ),
  rpad: plain((value: string, length: Count, fill: string) =>
    text.padText(value, text.countArgument(length), fill, false),
  ),
  split_part: plain((value: string, delimiter: string, index: Count) =>
    text.splitPart(value, delimiter, text.countArgument(index)),
  ),
  split: plain(splitText),
  join: plain((texts: readonly string[], separator: string) =>
    text.joinTexts(separator, texts, 'join'),
  ),
  strpos: plain((value: string, needle: string) => BigInt(text.positionOfText(value, needle))),
  translate: plain(text.translateText),
  to_hex: hexKernel,
  md5: plain((value: string) => printHex(md5(encodeText(value)))),
  'contains.text': plain((value: string, needle: string) => value.includes(needle)),
  starts_with: plain((value: string, needle: string) => value.startsWith(needle)),
  ends_with: plain((value: string, needle: string) => value.endsWith(needle)),
};

const PARTS_MAX = 65_536;

function splitText(value: string, delimiter: string): readonly string[] {
  if (delimiter === '') return [value];
  const parts = value.split(delimiter, PARTS_MAX + 1);
  if (parts.length > PARTS_MAX) throw overflow('split result exceeds 65,536 parts');
  return parts;
}

/** Two's complement at the width of the argument's type. */
function hexKernel(call: TypedCall): Kernel {
  const type = argumentType(call, 0);
  const bits = isIntegerType(type) ? integerBits(type) : 64;
  return ([value]) => BigInt.asUintN(bits, BigInt(value as number | bigint)).toString(16);
}
