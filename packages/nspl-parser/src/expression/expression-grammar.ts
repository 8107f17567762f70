import type { GrammarRules } from '../grammar-node.js';
import { readGrammarNotation } from '../grammar-notation.js';

/**
 * What the expression reader accepts, which decides by looking at tokens and has no grammar of its
 * own. Values: WORD is any word, NAME one that is not reserved in expressions, QUOTED_NAME one in
 * backticks.
 */
export const EXPRESSION_NOTATION: string = `
expression ::= conjunction ('OR' conjunction)*
conjunction ::= comparison ('AND' comparison)*
comparison ::= sum (comparisonOperator sum | 'NOT'? 'IN' '(' (expression %? ',')? ')'
  | 'NOT'? 'BETWEEN' sum 'AND' sum)*
comparisonOperator ::= '=' | '!=' | '>=' | '<=' | '>' | '<' | 'IS DISTINCT FROM'
  | 'IS NOT DISTINCT FROM'
sum ::= product (('+' | '-') product)*
product ::= prefixed (('*' | '/' | '%') prefixed)*
prefixed ::= ('-' | 'NOT')* cast
cast ::= atom ('AS' castType)*
atom ::= NUMBER | STRING | 'TRUE' | 'FALSE' | 'NULL' | field | call | '[' expression %? ',' ']'
  | conditional | conversion | '(' expression ')'
field ::= simpleName | fieldScope '.' anyName | 'relay_state' '.' anyName '.' anyName
fieldScope ::= 'message' | 'input' | 'output' | 'branch' | 'left' | 'right' | 'metadata'
  | 'partial_output' | 'error'
call ::= simpleName arguments | 'UDF' '::' anyName arguments
arguments ::= '(' (expression %? ',')? ')'
conditional ::= 'IF' expression 'THEN' expression 'ELSE' expression 'END'
  | 'CASE' expression? ('WHEN' expression 'THEN' expression)+ ('ELSE' expression)? 'END'
conversion ::= 'TRY_CAST' '(' expression 'AS' castType ')'
  | ('JSON_VALUE' | 'TRY_JSON_VALUE') '(' expression ',' JSON_PATH 'AS' declaredType ')'
  | 'JSON_EXISTS' '(' expression ',' JSON_PATH ')'
castType ::= 'U8' | 'UINT8' | 'I8' | 'INT8' | 'U16' | 'UINT16' | 'I16' | 'INT16' | 'U32' | 'UINT32'
  | 'I32' | 'INT32' | 'U64' | 'UINT64' | 'I64' | 'INT64' | 'BOOL' | 'BOOLEAN' | 'STRING' | 'UTF8'
  | 'BYTES' | 'DATETIME' | 'F32' | 'FLOAT32' | 'F64' | 'FLOAT64'
declaredType ::= castType | 'VEC' '<' declaredType '>'
  | 'ARRAY' '<' declaredType (',' ARRAY_LENGTH)+ '>'
simpleName ::= NAME | QUOTED_NAME
anyName ::= WORD | QUOTED_NAME
expressions ::= expression % ','
assignments ::= (target '=' expression) % ','
target ::= simpleName | ('message' | 'output' | 'branch') '.' anyName
inheritance ::= 'ALL' ('EXCEPT' simpleName % ',')? | (simpleName ('LEAK SENSITIVE')?) % ','
invocations ::= (simpleName arguments) % ','
`;

/** The same as data. */
export const EXPRESSION_RULES: GrammarRules = readGrammarNotation(EXPRESSION_NOTATION);

/** The rule that describes what each slot of the statement grammar reads, by its token type. */
export const SLOT_RULES: ReadonlyMap<string, string> = new Map([
  ['ExpressionSlot', 'expression'],
  ['ExpressionListSlot', 'expressions'],
  ['AssignmentsSlot', 'assignments'],
  ['BracedAssignmentsSlot', 'assignments'],
  ['InheritSlot', 'inheritance'],
  ['InvocationsSlot', 'invocations'],
]);
