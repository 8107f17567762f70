import type { GrammarNode } from '@nervix/nspl-parser/grammar';
import { type LinkOf, layOut } from './diagram.ts';
import type { Canvas, Label, Point } from './shape.ts';

const WIDTH_MAX = 800;
const MARGIN = 10;
/** Track before and behind everything. */
const LEAD = 20;

const STYLE = [
  'svg{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}',
  'path{fill:none;stroke:#57606a;stroke-width:1.5}',
  'text{fill:#1f2328;text-anchor:middle}',
  'rect{stroke:#57606a;fill:#fff}',
  '.p{fill:#fff;stroke:none}',
  '.k{fill:#ddf4ff}',
  '.v{fill:#fff8c5}',
  '.r{fill:#f6f8fa}',
  'a text{fill:#0969da}',
  '@media(prefers-color-scheme:dark){',
  'path{stroke:#9198a1}',
  'text{fill:#f0f6fc}',
  'rect{stroke:#9198a1}',
  '.p{fill:#0d1117}',
  '.k{fill:#12304f}',
  '.v{fill:#3b2e00}',
  '.r{fill:#212830}',
  'a text{fill:#4493f8}',
  '}',
].join('');

const LOOKS: Readonly<Record<Label['look'], { readonly class: string; readonly radius: number }>> =
  {
    keyword: { class: 'k', radius: 12 },
    punctuation: { class: 'k', radius: 12 },
    value: { class: 'v', radius: 4 },
    rule: { class: 'r', radius: 0 },
  };

/**
 * A diagram as the text of an SVG file that needs nothing else.
 *
 * @param title what it shows, for people who cannot see it
 */
export function drawDiagram(title: string, node: GrammarNode, linkOf: LinkOf): string {
  const shape = layOut(node, WIDTH_MAX - 2 * (MARGIN + LEAD), linkOf);
  const width = shape.width + 2 * (MARGIN + LEAD);
  const entry = { x: MARGIN, y: MARGIN + Math.max(shape.top, LEAD / 2) };
  const height = entry.y + Math.max(shape.bottom, LEAD / 2 + shape.exit) + MARGIN;
  const drawing = new Drawing();
  drawing.track({ x: entry.x, y: entry.y - LEAD / 2 }, `v${LEAD}m5 0v-${LEAD}`);
  drawing.track(entry, `h${LEAD}`);
  shape.draw({ x: entry.x + LEAD, y: entry.y }, drawing);
  const end = { x: entry.x + LEAD + shape.width, y: entry.y + shape.exit };
  drawing.track(end, `h${LEAD}m-5 ${-LEAD / 2}v${LEAD}m5 0v-${LEAD}`);
  const name = escapeXml(title);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
      `viewBox="0 0 ${width} ${height}" role="img" aria-label="${name}">`,
    `<title>${name}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="p" width="${width}" height="${height}" rx="6"/>`,
    `<path d="${drawing.tracks}"/>`,
    ...drawing.boxes,
    '</svg>',
    '',
  ].join('\n');
}

class Drawing implements Canvas {
  tracks = '';
  readonly boxes: string[] = [];
  #pen: Point | undefined;

  track(from: Point, commands: string): void {
    if (commands === '') return;
    if (this.#pen?.x !== from.x || this.#pen.y !== from.y) this.tracks += `M${from.x} ${from.y}`;
    this.tracks += commands;
    this.#pen = endOf(from, commands);
  }

  box(left: Point, width: number, { text, look, link }: Label): void {
    const { class: name, radius } = LOOKS[look];
    const corner = radius === 0 ? '' : ` rx="${radius}"`;
    const rect =
      `<rect class="${name}" x="${left.x}" y="${left.y - 12}" width="${width}" height="24"` +
      `${corner}/>`;
    const label = `<text x="${left.x + width / 2}" y="${left.y + 4.5}">${escapeXml(text)}</text>`;
    const drawn = rect + label;
    this.boxes.push(link === undefined ? drawn : `<a href="${escapeXml(link)}">${drawn}</a>`);
  }
}

/** Where commands that only move relatively end, for joining tracks; bends end at a corner. */
function endOf(from: Point, commands: string): Point {
  let { x, y } = from;
  for (const [, command = '', list = ''] of commands.matchAll(/([hvma])([^hvma]*)/gu)) {
    const numbers = list.match(/-?\d+/gu)?.map(Number) ?? [];
    const last = numbers.at(-1) ?? 0;
    if (command === 'h') x += last;
    else if (command === 'v') y += last;
    else {
      x += numbers.at(-2) ?? 0;
      y += last;
    }
  }
  return { x, y };
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
