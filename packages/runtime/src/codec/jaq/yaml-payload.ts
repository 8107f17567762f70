import { Scalar, stringify } from 'yaml';
import { encodeText } from '../../column/text.js';
import { sharedDocumentReader } from './document-reader.js';
import type { JaqPayload } from './jaq-payload.js';
import { parseTree } from './json-tree.js';

/** Documents of YAML 1.2 in its core schema; written in flow style. */
export const YAML_PAYLOAD: JaqPayload = {
  read: (bytes, start, end) => sharedDocumentReader().read('YAML', bytes, start, end),
  write: (json) => encodeText(printYaml(json)),
  writeAll: (texts) => encodeText(printYaml(`[${texts.join(',')}]`)),
};

function printYaml(json: string): string {
  const options = { collectionStyle: 'flow', flowCollectionPadding: false, lineWidth: 0 } as const;
  return stringify(parseTree(json), withSignedZero, options).trimEnd();
}

/** The library writes the float -0 as an integer, which has no sign. */
function withSignedZero(_key: unknown, value: unknown): unknown {
  if (!Object.is(value, -0)) return value;
  const zero = new Scalar(value);
  zero.minFractionDigits = 1;
  return zero;
}
