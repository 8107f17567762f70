export { describeGrammar, type GrammarDescription } from './describe-grammar.js';
export { EXPRESSION_NOTATION } from './expression/expression-grammar.js';
export { type GrammarNode, type GrammarRules, partsOf, referencedRules } from './grammar-node.js';
