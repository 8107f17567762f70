import { readFileSync } from 'node:fs';
import type { PlacementReport } from '@nervix/scheduler';
import { renderedInChromium } from '@nervix/testkit';
import { placementHtml } from '../../src/cli/placement/placement-html.js';

/** Script of the page as the build leaves it. */
const SCRIPT = new URL('../../dist/placement-page/placement-page.js', import.meta.url);

/** What a probe finds out about a page. */
export type Probed = Readonly<Record<string, unknown>>;

/**
 * Opens the page of a report and runs a probe behind its script, under the page's own policy.
 *
 * @param probe statements that give their findings by `return`; `click(selector)`,
 * `type(selector, text)`, `count(selector)` and `text(selector)` are there
 */
export async function probedPage(report: PlacementReport, probe: string): Promise<Probed> {
  const script = `${readFileSync(SCRIPT, 'utf8')}
    const one = (selector) => document.querySelector(selector);
    const click = (selector) => one(selector).dispatchEvent(new MouseEvent('click', { bubbles: true }));
    const type = (selector, text) => {
      one(selector).value = text;
      one(selector).dispatchEvent(new Event('input'));
    };
    const count = (selector) => document.querySelectorAll(selector).length;
    const text = (selector) => one(selector)?.textContent ?? null;
    const findings = (() => { ${probe} })();
    const made = document.createElement('pre');
    made.id = 'findings';
    made.textContent = encodeURIComponent(JSON.stringify(findings));
    document.body.append(made);`;
  const rendered = await renderedInChromium(placementHtml(report, script));
  const found = /<pre id="findings">([^<]*)<\/pre>/.exec(rendered)?.[1];
  if (found === undefined) throw new Error(`the page ran no script: ${rendered.slice(0, 2000)}`);
  return JSON.parse(decodeURIComponent(found)) as Probed;
}
