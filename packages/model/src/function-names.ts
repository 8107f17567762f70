const words = (...lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => line.split(' '));

/**
 * Every builtin function of the language and every alias, as an expression spells it. Whether a
 * call is legal at a place is the planner's to say.
 */
export const BUILTIN_FUNCTION_NAMES: readonly string[] = words(
  'coalesce is_null nullif greatest least clamp leak_sensitive now uuid_v4 uuid_v7',
  'lower upper initcap trim btrim ltrim rtrim length char_length octet_length bit_length ascii',
  'left right substr substring concat concat_ws repeat replace reverse normalize_nfc lpad rpad',
  'split_part split join strpos translate to_hex md5 contains starts_with ends_with contains_any',
  'like ilike regexp_like regexp_replace regexp_substr regexp_extract',
  'bytes_from_utf8 bytes_to_utf8 base64_encode base64_decode hex_encode hex_decode sha256 xxh3_64',
  'ip_from_string ip_to_string ip_family ip_unmap ip_trunc ip_in_network is_ip_address',
  'is_url url_scheme url_path url_host url_query url_fragment url_port url_query_value',
  'url_query_values url_decode',
  'abs ceil ceiling floor round trunc sign',
  'acos asin atan atan2 cos sin tan degrees radians exp ln log log2 pow power sqrt',
  'is_nan is_finite is_infinite',
  'bitwise_and bitwise_or bitwise_xor bitwise_not bit_count shift_left shift_right',
  'LOOKUP_HASH_MAP',
  'date_part date_trunc date_bin date_add date_diff to_unix from_unix',
  'format_datetime parse_datetime',
  'array vec count sum first last min max nth overlap slice mean dot distance',
);

/** Functions of expressions that may read the headers of a payload. */
export const HEADER_READER_NAMES: readonly string[] = ['read_header', 'read_headers'];

/** Functions that INVOKE may call where a payload has headers. */
export const HEADER_WRITER_NAMES: readonly string[] = ['write_header'];

/** Functions that SET of a window route may call over the rows of the window. */
export const AGGREGATE_FUNCTION_NAMES: readonly string[] = words(
  'COUNT COUNT_IF BOOL_AND BOOL_OR SUM AVG VAR_POP STDDEV_POP VAR_SAMP STDDEV_SAMP',
  'COVAR_POP COVAR_SAMP CORR MIN MAX FIRST LAST ARG_MIN ARG_MAX PERCENTILE_LINEAR_HISTOGRAM',
  'APPROX_COUNT_DISTINCT APPROX_QUANTILE APPROX_TOP_K',
);
