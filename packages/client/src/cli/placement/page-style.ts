/** Style sheet of the placement page. */
export const PAGE_STYLE: string = `
:root { color-scheme: light dark; font: 14px/1.4 system-ui, sans-serif; }
body { margin: 0; display: grid; grid-template: auto 1fr / 1fr 30rem; height: 100vh; }
header { grid-column: 1 / 3; padding: .5rem 1rem; border-bottom: 1px solid #8886; }
h1 { font-size: 1.1rem; margin: 0; } h2 { font-size: 1rem; } h3 { font-size: .9rem; }
p { margin: .2rem 0; } #inputs { opacity: .7; }
.tools { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin: .4rem 0; }
.tools input[type='search'] { width: 18rem; }
#nodes { display: flex; flex-wrap: wrap; gap: .3rem; margin: 0; padding: 0; list-style: none;
  max-height: 4.5rem; overflow: auto; }
#nodes li { padding: 0 .5rem; border-radius: .6rem; }
#graph { overflow: auto; } aside { overflow: auto; padding: 0 1rem; border-left: 1px solid #8886; }
table { border-collapse: collapse; font-size: .8rem; margin: .3rem 0; }
th, td { border: 1px solid #8886; padding: .1rem .4rem; text-align: left; overflow-wrap: break-word; }
aside button { display: block; width: 100%; text-align: left; border: 0; background: none;
  color: inherit; font: inherit; padding: .1rem .5rem; overflow-wrap: anywhere; cursor: pointer; }
aside button:hover, aside button.selected { background: #8884; }
summary { padding: .1rem .5rem; cursor: pointer; }
.box { cursor: pointer; } .box text { font-size: 12px; fill: #111; }
.box rect { stroke: #555; } .box.group rect { stroke-width: 2; stroke-dasharray: 4 2; }
.box.selected rect { stroke: #d00; stroke-width: 3; stroke-dasharray: none; }
.box.faded { opacity: .2; } .box.listener { cursor: default; } .box.listener rect { fill: #fff; }
.edge { fill: none; stroke: #8888; } .edge.near { stroke: #d00; stroke-width: 2; }
.owner-none { fill: #ddd; background: #ddd; color: #111; }
${Array.from({ length: 12 }, (_, index) => {
  const colour = `hsl(${index * 30} 70% ${index % 2 === 0 ? 80 : 70}%)`;
  return `.owner-${index} { fill: ${colour}; background: ${colour}; color: #111; }`;
}).join('\n')}
`;
