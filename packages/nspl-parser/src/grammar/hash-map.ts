import type { HashMapModel } from '@nervix/model';
import { keywords } from '../tokens.js';
import { type GrammarHost, label, phraseOf, type Rule } from './grammar-host.js';
import { takeResourceBinding } from './literals.js';

const K = keywords('KEY', 'FROM', 'RESOURCE', 'PATH');
const PHRASE_HASH_MAP = phraseOf('HASH MAP');
const PHRASE_DECODE_USING = phraseOf('DECODE USING');

const NAME = label('lookup_name');
const KEY = label('field_name');
const PATH = label('string_literal');
const CODEC = label('ref:codec');

/** `HASH MAP name KEY … FROM RESOURCE … PATH … DECODE USING …`. */
export function defineHashMap(g: GrammarHost): Rule<HashMapModel> {
  return g.rule('hashMap', (): HashMapModel => {
    g.phrase(PHRASE_HASH_MAP);
    const name = g.name(NAME);
    g.take(K.KEY);
    const key = g.name(KEY);
    g.take(K.FROM);
    g.take(K.RESOURCE);
    const resource = takeResourceBinding(g);
    g.take(K.PATH);
    const path = g.text(PATH);
    g.phrase(PHRASE_DECODE_USING);
    const decodeUsing = g.name(CODEC);
    return g.close({ kind: 'hash_map', name, key, resource, path, decodeUsing }, 0);
  });
}
