/**
 * What exists where the text will run. Every method is optional; an absent one knows nothing. They
 * are asked on every key stroke, so they answer from memory.
 */
export interface Catalog {
  /**
   * Names that a reference may hold.
   *
   * @param kind a reference label without its `ref:`, such as `relay`, `wire_json_schema`,
   *   `resource`, `domain`, `lookup`, `session_subscription` or `runtime_node`
   */
  names?(kind: string): readonly string[];
  /** Numbers of the completed versions of a resource. */
  completedVersions?(resource: string): readonly string[];
  /**
   * Names of the fields of what has any; of a node, those of the rows it reads from its first input.
   *
   * @param kind `schema`, `relay`, `branch`, `codec`, a wire schema such as `wire_json_schema`, or
   *   the kind of a node such as `junction`
   */
  fields?(kind: string, name: string): readonly string[];
  /** Whether the source of an ingestor has headers to read. */
  hasHeaders?(ingestor: string): boolean;
}
