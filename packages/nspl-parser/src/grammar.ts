export { describeGrammar, type GrammarDescription } from './describe-grammar.js';
export { EXPRESSION_NOTATION } from './expression/expression-grammar.js';
export {
  choiceOf,
  type GrammarNode,
  type GrammarRules,
  isEmpty,
  mapParts,
  optionalOf,
  partsOf,
  referencedRules,
  sequenceOf,
} from './grammar-node.js';
