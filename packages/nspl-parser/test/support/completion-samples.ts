/**
 * Texts that fill the free slots of the grammar, by label; the first suits most places. Where a slot
 * is read in several tokens, its first token is there as well, so that the place behind it is
 * visited, and `…` marks texts that go on there. `#` stands for a number that no other sample has.
 */
const SLOT_SAMPLES: Readonly<Record<string, readonly string[]>> = {
  // Names of external things.
  topic_name: ['topic_#', "'Topic.#'"],
  subject_name: ['subject_#', "'subject.#'"],
  queue_name: ['queue_#', "'Queue-#'"],
  queue_group: ['group_#', "'Group #'"],
  channel_name: ['channel_#', "'Channel #'"],
  table_name: ['table_#', "'Table #'"],
  collection_name: ['collection_#', "'Collection #'"],
  consumer_group: ['group_#', "'Group #'"],
  subscription_name: ['subscription_#', "'Subscription #'"],
  mqtt_topic_filter: ["'a/+/#'", 'filter_#'],
  column_name: ["'c'", "'d'", "'c#'"],
  iceberg_location: ["'s3://lake/#'"],
  // Names inside the system that are not of a kind.
  field_name: ['f#', 'f'],
  class_name: ['class_#'],
  filter_name: ['state', 'decision', 'domain', 'kind'],
  // Literals.
  string_literal: ["'/text #'", "','", "';'", `'${'0'.repeat(64)}'`, 'TRUE', '5'],
  number_literal: ['1', '0.5'],
  duration_literal: ['5s', '5', 's'],
  byte_size_literal: ['4KiB', '4', '…KiB'],
  instance_count: ['5'],
  max_in_flight: ['5'],
  message_count: ['5'],
  relay_capacity: ['5'],
  min_pool_size: ['5'],
  max_pool_size: ['5'],
  array_length: ['5'],
  mqtt_qos: ['1', '0', '2'],
  config_key: ["'cpu_cores'", "'window'", "'key #'"],
  config_value: ["'value'", '5', 'word'],
  hostname: ['host#', '10'],
  // Short, for a name may have many of them and is limited.
  hostname_label: ['a', '10'],
  node_id: ['node#', '10'],
  timestamp: ["'2030-01-02T03:04:05Z'", 'later'],
  time_rate: ['2.0', '2'],
  local_path: ["'/tmp/file #'"],
  transaction_id: ["'transaction'"],
  operation_number: ['5'],
  resource_version: ['5'],
  completed_resource_version: ['5'],
  jaq_program: ["'.a'"],
  jaq_matcher: ["'.a == #'"],
  jaq_capture: ["'.a'"],
  protobuf_message: ["'a.B'"],
  otel_metric_name: ["'metric'"],
  otel_metric_unit: ["'ms'"],
  otel_metric_description: ["'text'"],
  otel_scope_name: ["'scope'"],
  otel_scope_version: ["'1'"],
  alter_operation_separator: [','],
  // Parts that the expression reader reads.
  where_expression: ['(a = 1)', "lower(a) != 'x' AND NOT b"],
  set_assignments: ['a = 1, b = 2'],
  inherit_targets: ['ALL EXCEPT a', 'a LEAK SENSITIVE, b', 'ALL'],
  invocations: ["write_header('a', 'b')"],
  default_assignments: ['a = 1'],
  deduplicate_on: ['input.a, input.b'],
  reorder_by: ['input.a'],
  correlate_expression: ['left.a = right.a'],
  fifo_group_expression: ['input.a'],
  string_expression: ["'text'"],
  value_expression: ['1', 'input.a'],
};

/** Samples of a free slot; undefined for a label that nobody has given one. */
export function samplesOf(label: string): readonly string[] | undefined {
  const known = SLOT_SAMPLES[label];
  if (known !== undefined) return known;
  // The name of something new.
  return label.endsWith('_name') ? [`${label}_#`] : undefined;
}

let lastNumber = 0;

/** A sample with the next number. */
export function numbered(sample: string): string {
  if (!sample.includes('#')) return sample;
  lastNumber += 1;
  return sample.replace('#', String(lastNumber));
}

/** Labels that have samples of their own. */
export const SAMPLED_LABELS: readonly string[] = Object.keys(SLOT_SAMPLES);
