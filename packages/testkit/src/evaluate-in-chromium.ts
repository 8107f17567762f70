import { renderedInChromium } from './chromium.js';

const RESULT = /<pre>([^<]*)<\/pre>/;

/** What a page allows its scripts. */
export interface PageOptions {
  /** Whether text may be evaluated as code; not where absent. */
  readonly allowsEval?: boolean;
}

/**
 * Runs scripts one after the other in a page that may load nothing.
 *
 * @param expression what is evaluated behind them; must give a string
 * @returns that string
 * @throws when the browser is missing, or with what a script threw
 */
export async function evaluateInChromium(
  scripts: readonly string[],
  expression: string,
  options: PageOptions = {},
): Promise<string> {
  const dump = await renderedInChromium(pageOf(scripts, expression, options));
  const [outcome, text = ''] = (RESULT.exec(dump)?.[1] ?? 'nothing').split(' ');
  if (outcome === 'done') return decodeURIComponent(text);
  throw new Error(`the page ended with ${outcome}: ${decodeURIComponent(text)}`);
}

function pageOf(
  scripts: readonly string[],
  expression: string,
  { allowsEval = false }: PageOptions,
): string {
  const element = (script: string) =>
    // A closing tag inside a script would end it.
    `<script nonce="page">${script.replaceAll('</script', '<\\/script')}</script>`;
  const sources = allowsEval ? "'nonce-page' 'unsafe-eval'" : "'nonce-page'";
  const last = `
    if (!document.querySelector('pre').textContent.startsWith('error')) {
      document.querySelector('pre').textContent = 'done ' + encodeURIComponent(${expression});
    }`;
  return `<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${sources}">
<pre>nothing</pre>
${element(`
    addEventListener('error', ({ message }) => {
      document.querySelector('pre').textContent = 'error ' + encodeURIComponent(message);
    });`)}
${[...scripts, last].map(element).join('\n')}`;
}
