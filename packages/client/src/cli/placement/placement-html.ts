import { createHash } from 'node:crypto';
import type { PlacementReport } from '@nervix/scheduler';
import { PAGE_STYLE } from './page-style.js';

/**
 * One page that shows a report and needs nothing else: no network, no other file. Its policy admits
 * this very script and style sheet, so nothing that a report says can run or load anything.
 *
 * @param script text of the page's script
 */
export function placementHtml(report: PlacementReport, script: string): string {
  const policy = [
    "default-src 'none'",
    `script-src '${digest(script)}'`,
    `style-src '${digest(PAGE_STYLE)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>Placement</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
${FRAME}
<script type="application/json" id="report">${inertJson(report)}</script>
<script type="module">${script}</script>
</body>
</html>
`;
}

const FRAME = `<header>
<h1 id="title"></h1>
<p id="summary"></p>
<p id="inputs"></p>
<div class="tools">
<input type="search" id="search" placeholder="name, kind, owner, cause or rule" aria-label="search">
<button type="button" id="open-groups">open groups</button>
<button type="button" id="close-groups">close groups</button>
<button type="button" id="larger" aria-label="larger">+</button>
<button type="button" id="smaller" aria-label="smaller">−</button>
<label><input type="checkbox" id="gather"> gather by owner</label>
<label><input type="checkbox" id="only-connected"> only what the selection is connected to</label>
</div>
<ul id="nodes"></ul>
</header>
<main id="graph"></main>
<aside>
<section id="details"></section>
<h3>Units</h3>
<p id="found"></p>
<div id="units"></div>
<h3>Rules</h3>
<div id="rules"></div>
</aside>`;

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** JSON in which no name can end the element that holds it or open a comment. */
function inertJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026');
}
