/** What labels of values stand for, unless {@link labelMeaning} can tell from their form. */
const MEANINGS: Readonly<Record<string, string>> = {
  alter_operation_separator: 'a comma before the next operation of an `ALTER`',
  argument_name: 'a name for an argument',
  array_length: 'a whole number above zero',
  byte_size_literal: 'a size such as `64KiB`',
  channel_name: 'the name of a channel at the other side',
  class_name: 'a word for what a domain is for',
  collection_name: 'the name of a collection at the other side',
  column_name: 'the name of a column or key at the other side, in quotes',
  completed_resource_version: 'the number of a version whose upload is complete',
  config_key: 'a setting, in quotes',
  config_value: 'a value in quotes, a number or a word',
  consumer_group: 'the name of a consumer group at the other side',
  correlate_expression: 'a condition over `left` and `right`',
  deduplicate_on: 'expressions that form a key',
  default_assignments: 'assignments of constants to bare fields',
  duration_literal: 'a time such as `250ms`',
  expression: 'an expression',
  field_name: 'a name for a field',
  fifo_group_expression: 'an expression of type STRING',
  filter_name: 'the name of a field to narrow an answer by',
  hostname: 'a host name',
  hostname_label: 'a part of a host name',
  iceberg_location: 'the address of a table, in quotes',
  identifier: 'a name',
  inherit_targets: '`ALL`, or fields to copy',
  instance_count: 'a whole number above zero',
  invocations: 'calls of functions',
  jaq_capture: 'a jq program, in quotes',
  jaq_matcher: 'a jq program, in quotes',
  jaq_program: 'a jq program, in quotes',
  json_path: "a path into a JSON document, such as `'$.a[0]'`",
  local_path: 'a path on the machine of the client, in quotes',
  max_in_flight: 'a whole number above zero',
  max_pool_size: 'a whole number above zero',
  message_count: 'a whole number',
  min_pool_size: 'a whole number',
  mqtt_qos: 'a quality of service',
  mqtt_topic_filter: 'a topic filter, in quotes if it is more than a word',
  node_id: 'a name of a cluster node, which may hold `-` and `.`',
  number_literal: 'a number',
  operation_number: 'a whole number above zero',
  otel_metric_description: 'a description, in quotes',
  otel_metric_name: 'the name of a metric, in quotes',
  otel_metric_unit: 'the unit of a metric, in quotes',
  otel_scope_name: 'the name of a scope, in quotes',
  otel_scope_version: 'the version of a scope, in quotes',
  protobuf_message: 'the full name of a message type, in quotes',
  queue_group: 'the name of a queue group at the other side',
  queue_name: 'the name of a queue at the other side',
  'ref:lookup': 'the name of an existing hash map',
  'ref:runtime_node': 'the name of something in the graph, without its kind',
  'ref:schema_field': 'the name of an existing field',
  'ref:session_subscription': 'the name of a subscription of the session',
  relay_capacity: 'a whole number above zero',
  reorder_by: 'expressions to order by',
  resource_version: 'the number of a version',
  set_assignments: 'assignments to fields',
  string_expression: 'an expression of type STRING',
  string_literal: 'a text in quotes',
  subject_name: 'the name of a subject at the other side',
  subscription_name: 'the name of a subscription at the other side',
  table_name: 'the name of a table at the other side',
  time_rate: 'a number above zero',
  timestamp: 'an RFC 3339 time, in quotes',
  topic_name: 'the name of a topic at the other side',
  transaction_id: 'the id of a transaction, in quotes',
  value_expression: 'an expression',
  where_expression: 'a condition',
};

/** Every label whose meaning is not in its form. */
export const LABELS_WITH_MEANING: readonly string[] = Object.keys(MEANINGS);

/**
 * What a label of a value stands for, in a message as well as in a diagram.
 *
 * @returns undefined for a label that is unknown
 */
export function labelMeaning(label: string): string | undefined {
  const known = MEANINGS[label];
  if (known !== undefined) return known;
  const reference = /^ref:(.+)$/u.exec(label)?.[1];
  if (reference !== undefined) return `the name of an existing ${spaced(reference)}`;
  const name = /^(.+)_name$/u.exec(label)?.[1];
  return name === undefined ? undefined : `a name for a new ${spaced(name)}`;
}

function spaced(words: string): string {
  return words.replaceAll('_', ' ');
}
