const rounded = (number) => Number(number.toFixed(2));

/** Prints the line of a figure that is to stay below its goal, with the goal for its peer if it has none. */
export function printLimitFigure(bench, value, unit, goal, peer = 'goal', peerValue = goal) {
  const line = {
    ...{ bench, value: rounded(value), unit, peer, peer_value: rounded(peerValue) },
    ...{ ratio: rounded(value / peerValue), goal, holds: value <= goal },
  };
  console.log(JSON.stringify(line));
}
