/** The part of the package that is used; it has no types of its own. */
declare module 'jq-web' {
  /** jq, loaded. */
  export interface Jq {
    /**
     * Runs a program over the JSON values of a text; answers nothing of a program that halts.
     *
     * @throws an error with `stderr` when the program ends with another code than 0
     */
    raw(input: string, program: string, flags: readonly string[]): string | undefined;
  }
  const engine: Promise<Jq>;

  // biome-ignore lint/style/noDefaultExport: the package has one.
  export default engine;
}
