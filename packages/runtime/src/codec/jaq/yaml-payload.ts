import { parseAllDocuments, stringify } from 'yaml';
import { decodeText, encodeText } from '../../column/text.js';
import { invalidUtf8At } from '../utf8.js';
import type { JaqPayload, JaqValues } from './jaq-payload.js';
import { parseTree, printTree, UnrepresentableError } from './json-tree.js';

/** Most nodes that aliases may stand for, so that a small document cannot become a huge one. */
const ALIASES_MAX = 100;

/** Documents of YAML 1.2 in its core schema; written in flow style. */
export const YAML_PAYLOAD: JaqPayload = {
  read: readDocuments,
  write: (json) => encodeText(printYaml(json)),
  writeAll: (texts) => encodeText(printYaml(`[${texts.join(',')}]`)),
};

function readDocuments(bytes: Uint8Array, start: number, end: number): JaqValues {
  const texts: string[] = [];
  const defect = (cause: string): JaqValues => ({ kind: 'defect', cause, input: texts.length });
  if (invalidUtf8At(bytes, start, end) >= 0) return defect('malformed YAML: invalid UTF-8');
  const documents = parseAllDocuments(decodeText(bytes, start, end), {
    intAsBigInt: true,
    version: '1.2',
    schema: 'core',
    logLevel: 'silent',
  });
  for (const document of documents) {
    if (document.errors.length > 0) return defect('malformed YAML');
    try {
      texts.push(printTree(document.toJS({ maxAliasCount: ALIASES_MAX })));
    } catch (error) {
      if (error instanceof UnrepresentableError) return defect(`unusable YAML: ${error.message}`);
      if (error instanceof ReferenceError) return defect('unusable YAML: aliases');
      throw error;
    }
  }
  return { kind: 'values', texts };
}

function printYaml(json: string): string {
  const options = { collectionStyle: 'flow', flowCollectionPadding: false, lineWidth: 0 } as const;
  return stringify(parseTree(json), options).trimEnd();
}
