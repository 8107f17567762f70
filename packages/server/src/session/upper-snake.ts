/** A name of a frame as documents and metrics spell it: `LeaderRedirect` is `LEADER_REDIRECT`. */
export function upperSnake(name: string): string {
  return name.replace(/(?<=[a-z0-9])[A-Z]/g, '_$&').toUpperCase();
}
