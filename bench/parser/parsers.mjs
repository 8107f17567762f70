// The parsers that are compared, each as a function from a text to its statements; it throws where
// the text is refused. Each module is loaded only when asked for.
export const PARSERS = ['nspl', 'pgsql-ast-parser', 'node-sql-parser'];

export async function load(name) {
  if (name === 'nspl') {
    const { parseScript } = await import('@nervix/nspl-parser');
    return (text) => {
      const { statements, errors } = parseScript(text);
      if (errors.length > 0) throw new Error(JSON.stringify(errors[0]));
      return statements;
    };
  }
  if (name === 'pgsql-ast-parser') {
    const { parse } = await import('pgsql-ast-parser');
    return (text) => parse(text);
  }
  const { default: module } = await import('node-sql-parser/build/postgresql.js');
  const parser = new module.Parser();
  return (text) => parser.astify(text, { database: 'Postgresql' });
}
