import type { PlacementReport, ReportedUnit } from '@nervix/scheduler';

// The script of the page that `nervix placement --html` writes. It is put into the page as it is, so
// it imports nothing at run time; whatever a report says reaches the page as text, never as markup.

/** What is drawn as one box: a graph node, a closed group, or units gathered by their owner. */
interface Box {
  readonly key: string;
  readonly title: string;
  /** Indexes of its units; none for a listener. */
  readonly units: readonly number[];
  readonly members: readonly number[];
  readonly depth: number;
  /** Filled in by the layout, in pixels. */
  x: number;
  y: number;
}

const SVG = 'http://www.w3.org/2000/svg';
const BOX = { width: 168, height: 22, columnGap: 96, rowGap: 8, margin: 16 };
/** Where more graph nodes would be drawn, groups are closed and units gathered at first. */
const OPEN_NODES_MAX = 120;
const OWNER_HUES = 12;

const report = JSON.parse(
  document.getElementById('report')?.textContent ?? 'null',
) as PlacementReport;

const view = {
  query: '',
  selected: null as number | null,
  opened: new Set<number>(),
  /** Whether units of one owner at one depth are drawn as one box, but for those opened. */
  isGathered: false,
  openedCells: new Set<string>(),
  hasNeighboursOnly: false,
  scale: 1,
};

function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  text = '',
  className = '',
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  if (text !== '') made.textContent = text;
  if (className !== '') made.className = className;
  return made;
}

function drawn(tag: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS(SVG, tag) as SVGElement;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

function place(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no place '${id}'`);
  return found;
}

function titleOf(id: number): string {
  const node = report.graphNodes[id];
  return node === undefined ? '' : `${node.kind} ${node.name}`;
}

function unitTitle({ members }: ReportedUnit): string {
  const [first = -1] = members;
  return members.length === 1 ? titleOf(first) : `group of ${members.length}: ${titleOf(first)}, …`;
}

/** Class of the colour that stands for a cluster node. */
function ownerClass(owner: string | null | undefined): string {
  const index = report.clusterNodes.findIndex(({ name }) => name === owner);
  return index < 0 ? 'owner-none' : `owner-${index % OWNER_HUES}`;
}

/** What a search looks through: names, kinds, owner and the rules that hold a unit together. */
const searchTexts = report.units.map(({ members, chosen, cause, bonds }) => {
  const rules = (bonds ?? []).flatMap((bond) => bond.rules);
  return [...members.map(titleOf), chosen ?? '-', cause, ...new Set(rules)].join(' ').toLowerCase();
});
const listeners = report.graphNodes.flatMap(({ unit }, id) => (unit === null ? [id] : []));

function hasWords(text: string): boolean {
  return view.query.split(/\s+/).every((word) => text.includes(word));
}

function isUnitFound(unit: number): boolean {
  return view.query === '' || hasWords(searchTexts[unit] ?? '');
}

function isFound({ units, members }: Box): boolean {
  if (view.query === '') return true;
  if (units.length > 0) return units.some(isUnitFound);
  return hasWords(members.map(titleOf).join(' ').toLowerCase());
}

function boxOf(members: readonly number[], units: readonly number[], title: string): Box {
  const depth = Math.min(...members.map((id) => report.graphNodes[id]?.depth ?? 0));
  return { key: `${members[0] ?? ''}`, title, units, members, depth, x: 0, y: 0 };
}

function unitBoxes(unit: number): readonly Box[] {
  const members = report.units[unit]?.members ?? [];
  if (members.length === 1 || view.opened.has(unit)) {
    return members.map((id) => boxOf([id], [unit], titleOf(id)));
  }
  return [boxOf(members, [unit], `▸ ${members.length} × ${titleOf(members[0] ?? -1)}`)];
}

/** Name of the place where a box is gathered with others. */
function cellOf({ units: [unit = -1], depth }: Box): string {
  return `${depth} ${report.units[unit]?.chosen ?? ''}`;
}

function gathered(cell: string, boxes: readonly Box[]): readonly Box[] {
  if (boxes.length === 1 || view.openedCells.has(cell)) return boxes;
  const units = [...new Set(boxes.flatMap((box) => box.units))];
  const owner = report.units[units[0] ?? -1]?.chosen ?? 'no node';
  const members = boxes.flatMap((box) => box.members);
  return [boxOf(members, units, `▸ ${members.length} on ${owner}`)];
}

function boxes(): Box[] {
  const placed = [...report.units.keys()].flatMap(unitBoxes);
  const cells = [...Map.groupBy(placed, cellOf)];
  const drawnUnits = view.isGathered ? cells.flatMap((entry) => gathered(...entry)) : placed;
  return [...drawnUnits, ...listeners.map((id) => boxOf([id], [], titleOf(id)))];
}

/** Edges between different boxes, once each. */
function boxEdges(all: readonly Box[]): readonly (readonly [from: Box, to: Box])[] {
  const holder = new Map(all.flatMap((box) => box.members.map((id) => [id, box])));
  const edges = new Map<string, readonly [Box, Box]>();
  for (const [from, to] of report.edges) {
    const [left, right] = [holder.get(from), holder.get(to)];
    if (left === undefined || right === undefined || left === right) continue;
    edges.set(`${left.key} ${right.key}`, [left, right]);
  }
  return [...edges.values()];
}

function isSelected({ units }: Box): boolean {
  return view.selected !== null && units.includes(view.selected);
}

/** The boxes from which the selected ones are reached and which they reach. */
function connected(all: readonly Box[], edges: ReturnType<typeof boxEdges>): readonly Box[] {
  if (view.selected === null || !view.hasNeighboursOnly) return all;
  const seeds = all.filter(isSelected);
  const walk = (end: 0 | 1): ReadonlySet<Box> => {
    const next = Map.groupBy(edges, (edge) => edge[end]);
    const seen = new Set(seeds);
    for (const box of seen) for (const edge of next.get(box) ?? []) seen.add(edge[1 - end] as Box);
    return seen;
  };
  const [down, up] = [walk(0), walk(1)];
  return all.filter((box) => down.has(box) || up.has(box));
}

/** Columns by depth; inside a column the boxes stand near what feeds them (barycentre method). */
function layOut(all: readonly Box[], edges: ReturnType<typeof boxEdges>): void {
  const feeding = Map.groupBy(edges, ([, to]) => to);
  const columns = [...Map.groupBy(all, ({ depth }) => depth)].sort(([a], [b]) => a - b);
  for (const [column, [, members]] of columns.entries()) {
    const weight = new Map(
      members.map((box) => {
        const rows = (feeding.get(box) ?? []).map(([from]) => from.y);
        const mean = rows.reduce((sum, row) => sum + row, 0) / rows.length;
        return [box, rows.length === 0 ? Number.POSITIVE_INFINITY : mean];
      }),
    );
    const ordered = [...members].sort((a, b) => {
      const [left = 0, right = 0] = [weight.get(a), weight.get(b)];
      return left === right ? 0 : left - right;
    });
    for (const [row, box] of ordered.entries()) {
      box.x = BOX.margin + column * (BOX.width + BOX.columnGap);
      box.y = BOX.margin + row * (BOX.height + BOX.rowGap);
    }
  }
}

function edgePath([from, to]: readonly [Box, Box]): string {
  const middle = BOX.height / 2;
  const [x1, y1, x2, y2] = [from.x + BOX.width, from.y + middle, to.x, to.y + middle];
  const bend = Math.max(24, Math.abs(x2 - x1) / 2);
  return `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

function boxStates(box: Box): string {
  const { units } = box;
  const [unit = -1] = units;
  const isGroup = units.length > 1 || (report.units[unit]?.members.length ?? 1) > 1;
  const states = [
    'box',
    units.length === 0 ? 'listener' : ownerClass(report.units[unit]?.chosen),
    ...(isGroup ? ['group'] : []),
    ...(isSelected(box) ? ['selected'] : []),
    ...(isFound(box) ? [] : ['faded']),
  ];
  return states.join(' ');
}

function drawBox(box: Box): SVGElement {
  const { units, members, title } = box;
  const [unit] = units;
  const owner = report.units[unit ?? -1]?.chosen;
  const transform = `translate(${box.x} ${box.y})`;
  const group = drawn('g', { class: boxStates(box), transform });
  group.append(drawn('rect', { width: BOX.width, height: BOX.height, rx: 4 }));
  const label = drawn('text', { x: 8, y: 15 });
  label.textContent = title.length > 24 ? `${title.slice(0, 23)}…` : title;
  const tip = drawn('title', {});
  tip.textContent = `${members.map(titleOf).join('\n')}\n${ownerText(unit, owner)}`;
  group.append(label, tip);
  if (unit === undefined) return group;
  if (units.length > 1) group.addEventListener('click', () => openCell(box));
  else group.addEventListener('click', () => select(unit));
  group.addEventListener('dblclick', () => toggleGroup(unit));
  return group;
}

function ownerText(unit: number | undefined, owner: string | null | undefined): string {
  return unit === undefined ? 'listens on every node' : `on ${owner ?? 'no node'}`;
}

function drawGraph(): void {
  const everything = boxes();
  const all = connected(everything, boxEdges(everything));
  const edges = boxEdges(all);
  layOut(all, edges);
  const width = Math.max(0, ...all.map(({ x }) => x + BOX.width)) + BOX.margin;
  const height = Math.max(0, ...all.map(({ y }) => y + BOX.height)) + BOX.margin;
  const svg = drawn('svg', {
    viewBox: `0 0 ${width} ${height}`,
    width: width * view.scale,
    height: height * view.scale,
    role: 'img',
    'aria-label': 'graph of the domain',
  });
  for (const edge of edges) {
    const isNear = edge.some(isSelected);
    svg.append(drawn('path', { d: edgePath(edge), class: isNear ? 'edge near' : 'edge' }));
  }
  svg.append(...all.map(drawBox));
  place('graph').replaceChildren(svg);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): HTMLElement {
  const made = element('table');
  const line = (cells: readonly string[], tag: 'th' | 'td'): HTMLElement => {
    const row = element('tr');
    row.append(...cells.map((cell) => element(tag, cell)));
    return row;
  };
  made.append(line(head, 'th'), ...rows.map((row) => line(row, 'td')));
  return made;
}

function memberRows({ members }: ReportedUnit): readonly (readonly string[])[] {
  return members.map((id) => {
    const [owner = '-', ...replicas] = report.graphNodes[id]?.nodes ?? [];
    return [titleOf(id), owner, replicas.join(', ') || '-'];
  });
}

function candidateTable({ candidates, chosen }: ReportedUnit): HTMLElement {
  const scores = Object.keys(candidates[0]?.scores ?? {});
  return table(
    ['node', ...scores],
    candidates.map(({ node, scores: own }) => [
      node === chosen ? `${node} ✓` : node,
      ...scores.map((name) => String(own[name] ?? 0)),
    ]),
  );
}

function rejectedTable(rejected: PlacementReport['rejections'][number]): HTMLElement {
  const rows = rejected.flatMap(({ node, checks }) =>
    checks.map(({ constraint, verdict, evidence, ageMs }) => {
      const age = ageMs === null ? '' : `, ${ageMs} ms old`;
      return [node, constraint, verdict, `${evidence}${age}`];
    }),
  );
  return table(['node', 'constraint', 'verdict', 'evidence'], rows);
}

function bondList({ bonds }: ReportedUnit): HTMLElement {
  if (bonds === null) return element('p', 'too many pairs to list');
  const list = element('ul');
  for (const { left, right, rules } of bonds) {
    const by = rules.join(', ') || 'domain default';
    list.append(element('li', `${titleOf(left)} ↔ ${titleOf(right)} (${by})`));
  }
  return list;
}

function detailParts(unit: ReportedUnit): readonly HTMLElement[] {
  const rejected = report.rejections[unit.rejected] ?? [];
  const parts = [
    element('h2', unitTitle(unit)),
    element('p', `${ownerText(0, unit.chosen)} (${unit.cause}), ranked by ${report.policy}`),
    table(['member', 'owner', 'replicas'], memberRows(unit)),
    element('h3', 'Candidates, best first; more is better'),
    unit.candidates.length === 0 ? element('p', 'none') : candidateTable(unit),
    ...(unit.omitted === 0 ? [] : [element('p', `and ${unit.omitted} more that are not listed`)]),
    element('h3', 'Rejected nodes'),
    rejected.length === 0 ? element('p', 'none') : rejectedTable(rejected),
  ];
  if (unit.members.length === 1) return parts;
  return [...parts, element('h3', 'Held together by'), bondList(unit)];
}

function showDetails(): void {
  const unit = report.units[view.selected ?? -1];
  const parts =
    unit === undefined ? [element('p', 'Choose a box or a line below.')] : detailParts(unit);
  place('details').replaceChildren(...parts);
}

/** The units by owner, each owner's list foldable. */
function showUnits(): void {
  const found = [...report.units.entries()].filter(([unit]) => isUnitFound(unit));
  const byOwner = Map.groupBy(found, ([, { chosen }]) => chosen ?? '');
  const lists = [...byOwner]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([owner, units]) => {
      const fold = element('details');
      fold.open = view.query !== '' || report.units.length <= OPEN_NODES_MAX;
      const title = element(
        'summary',
        `${owner === '' ? 'no node' : owner}: ${units.length} unit(s)`,
      );
      title.className = ownerClass(owner);
      fold.append(title, ...units.map(([index, unit]) => unitButton(index, unit)));
      return fold;
    });
  place('found').textContent = `${found.length} of ${report.units.length} unit(s)`;
  place('units').replaceChildren(...lists);
}

function unitButton(index: number, unit: ReportedUnit): HTMLElement {
  const button = element('button', unitTitle(unit), index === view.selected ? 'selected' : '');
  button.type = 'button';
  button.addEventListener('click', () => select(index));
  return button;
}

function showFrame(): void {
  document.title = `Placement of ${report.domain}`;
  place('title').textContent = `Placement of domain '${report.domain}'`;
  const counts =
    `${report.graphNodes.length} graph nodes, ${report.units.length} units, ` +
    `${report.clusterNodes.length} cluster nodes, ${report.rules.length} rules`;
  place('summary').textContent = `${counts}; default ${report.defaultPolicy}; ${report.policy}`;
  place('inputs').textContent = Object.entries(report.inputs)
    .map(([name, revision]) => `${name}=${revision}`)
    .join(' ');
  const nodes = report.clusterNodes.map(({ name, unfit, owned }) => {
    const state = unfit === null ? '' : ` (${unfit.replaceAll('_', ' ')})`;
    return element('li', `${name}: ${owned}${state}`, ownerClass(name));
  });
  place('nodes').replaceChildren(...nodes);
  const names = (ids: readonly number[]): string => ids.map(titleOf).join(', ');
  const rules = report.rules.map(({ name, policy, rank, coverage, from, to }) => {
    return [name, policy, rank ?? 'unranked', coverage, names(from), names(to)];
  });
  const head = ['rule', 'policy', 'rank', 'coverage', 'from', 'to'];
  place('rules').replaceChildren(
    rules.length === 0 ? element('p', 'no placements') : table(head, rules),
  );
}

function select(unit: number): void {
  view.selected = unit;
  refresh();
}

function openCell(box: Box): void {
  view.openedCells.add(cellOf(box));
  refresh();
}

function toggleGroup(unit: number): void {
  if (!view.opened.delete(unit)) view.opened.add(unit);
  refresh();
}

function refresh(): void {
  drawGraph();
  showUnits();
  showDetails();
}

function listen(): void {
  const search = place('search') as HTMLInputElement;
  search.addEventListener('input', () => {
    view.query = search.value.trim().toLowerCase();
    refresh();
  });
  const onClick = (id: string, action: () => void): void =>
    place(id).addEventListener('click', () => {
      action();
      refresh();
    });
  onClick('open-groups', () => {
    view.opened = new Set(report.units.keys());
  });
  onClick('close-groups', () => view.opened.clear());
  onClick('larger', () => {
    view.scale = Math.min(3, view.scale * 1.25);
  });
  onClick('smaller', () => {
    view.scale = Math.max(0.1, view.scale / 1.25);
  });
  const only = place('only-connected') as HTMLInputElement;
  only.addEventListener('change', () => {
    view.hasNeighboursOnly = only.checked;
    refresh();
  });
  const gather = place('gather') as HTMLInputElement;
  gather.checked = view.isGathered;
  gather.addEventListener('change', () => {
    view.isGathered = gather.checked;
    view.openedCells.clear();
    refresh();
  });
}

view.isGathered = report.graphNodes.length > OPEN_NODES_MAX;
if (!view.isGathered) view.opened = new Set(report.units.keys());
showFrame();
listen();
refresh();
