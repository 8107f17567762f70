/** Columns of the test row by the type that each has, as types are printed. */
export const TYPE_COLUMNS: Readonly<Record<string, string>> = {
  U8: 'u8',
  I8: 'i8',
  U16: 'u16',
  I16: 'i16',
  U32: 'u32',
  I32: 'i32',
  U64: 'u64',
  I64: 'i64',
  F32: 'f32',
  F64: 'f64',
  BOOL: 'flag',
  STRING: 'text',
  BYTES: 'bytes',
  DATETIME: 'at',
  'VEC<I64>': 'vec',
  'VEC<F32>': 'floats',
  'VEC<STRING>': 'texts',
  'VEC<BOOL>': 'flags',
  'VEC<BYTES>': 'blobs',
  'ARRAY<F32, 2>': 'pair',
  'ARRAY<F32, 2, 3>': 'matrix',
};

/** Types of the elements of the lists above. */
export const ELEMENTS: Readonly<Record<string, string>> = {
  'VEC<I64>': 'I64',
  'VEC<F32>': 'F32',
  'VEC<STRING>': 'STRING',
  'VEC<BOOL>': 'BOOL',
  'VEC<BYTES>': 'BYTES',
  'ARRAY<F32, 2>': 'F32',
  'ARRAY<F32, 2, 3>': 'ARRAY<F32, 3>',
};

const INTEGERS = 'U8 I8 U16 I16 U32 I32 U64 I64';

/** Sets of types by letter. */
export const TYPE_SETS: Readonly<Record<string, readonly string[]>> = {
  s: ['STRING'],
  y: ['BYTES'],
  d: ['DATETIME'],
  b: ['BOOL'],
  i: INTEGERS.split(' '),
  g: 'I8 I16 I32 I64 F32 F64'.split(' '),
  f: ['F32', 'F64'],
  n: `${INTEGERS} F32 F64`.split(' '),
  o: `${INTEGERS} F32 F64 STRING DATETIME`.split(' '),
  c: `${INTEGERS} F32 F64 STRING DATETIME BOOL`.split(' '),
  k: `${INTEGERS} F32 F64 STRING DATETIME BOOL BYTES`.split(' '),
  a: [...Object.keys(TYPE_COLUMNS), 'ARRAY<F32, 3>'],
};

/**
 * The functions as chapter 6 of the language's description has them, one call a line: name,
 * arguments, result. An argument is a set of types, `T:` before it where it shares the type T, `L:`
 * where it is a list of elements T of the set, or a literal in quotes. Behind the result stand `?`
 * for always optional, `!` for never, `&` for optional only if all arguments are.
 */
export const SIGNATURE_ROWS: readonly string[] = `
6.1 coalesce T:a -> T &
6.1 coalesce T:a T:a -> T &
6.1 is_null a -> BOOL !
6.1 nullif T:k T:k -> T ?
6.1 greatest T:k -> T &
6.1 greatest T:k T:k -> T &
6.1 least T:k T:k -> T &
6.1 clamp T:o T:o T:o -> T
6.1 now -> DATETIME !
6.1 uuid_v4 -> STRING !
6.1 uuid_v7 -> STRING !
6.2 lower s -> STRING
6.2 upper s -> STRING
6.2 initcap s -> STRING
6.2 trim s -> STRING
6.2 btrim s -> STRING
6.2 ltrim s -> STRING
6.2 rtrim s -> STRING
6.2 length s -> I64
6.2 char_length s -> I64
6.2 octet_length s -> I64
6.2 bit_length s -> I64
6.2 ascii s -> I64
6.2 left s i -> STRING
6.2 right s i -> STRING
6.2 substr s i -> STRING
6.2 substring s i i -> STRING
6.2 concat_ws s s -> STRING
6.2 concat_ws s s s -> STRING
6.2 repeat s i -> STRING
6.2 replace s s s -> STRING
6.2 reverse s -> STRING
6.2 normalize_nfc s -> STRING
6.2 lpad s i s -> STRING
6.2 rpad s i s -> STRING
6.2 split_part s s i -> STRING
6.2 split s s -> VEC<STRING>
6.2 strpos s s -> I64
6.2 translate s s s -> STRING
6.2 to_hex i -> STRING
6.2 md5 s -> STRING
6.2 starts_with s s -> BOOL
6.2 ends_with s s -> BOOL
6.2 like s s -> BOOL
6.2 ilike s s -> BOOL
6.2 regexp_like s s -> BOOL
6.2 regexp_replace s s s -> STRING
6.2 regexp_substr s s -> STRING ?
6.2 regexp_extract s s i -> STRING ?
6.3 bytes_from_utf8 s -> BYTES
6.3 bytes_to_utf8 y -> STRING
6.3 base64_encode y -> STRING
6.3 hex_encode y -> STRING
6.3 base64_decode s -> BYTES
6.3 hex_decode s -> BYTES
6.3 sha256 y -> BYTES
6.3 xxh3_64 y -> U64
6.3 ip_from_string s -> BYTES
6.3 ip_to_string y -> STRING
6.3 ip_family y -> I64
6.3 ip_unmap y -> BYTES
6.3 ip_trunc y i -> BYTES
6.3 ip_in_network y s -> BOOL
6.3 is_ip_address s -> BOOL
6.3 is_url s -> BOOL
6.3 url_scheme s -> STRING
6.3 url_path s -> STRING
6.3 url_host s -> STRING ?
6.3 url_query s -> STRING ?
6.3 url_fragment s -> STRING ?
6.3 url_port s -> I64 ?
6.3 url_query_value s s -> STRING ?
6.3 url_query_values s s -> VEC<STRING>
6.3 url_decode s -> STRING
6.4 abs T:n -> T
6.4 ceil T:n -> T
6.4 ceiling T:n -> T
6.4 floor T:n -> T
6.4 round T:n -> T
6.4 round T:n i -> T
6.4 trunc T:n -> T
6.4 sign T:n -> T
6.4 acos n -> F64
6.4 asin n -> F64
6.4 atan n -> F64
6.4 atan2 n n -> F64
6.4 cos n -> F64
6.4 sin n -> F64
6.4 tan n -> F64
6.4 degrees n -> F64
6.4 radians n -> F64
6.4 exp n -> F64
6.4 ln n -> F64
6.4 log n -> F64
6.4 log n n -> F64
6.4 log2 n -> F64
6.4 pow n n -> F64
6.4 power n n -> F64
6.4 sqrt n -> F64
6.4 is_nan f -> BOOL
6.4 is_finite f -> BOOL
6.4 is_infinite f -> BOOL
6.4 bitwise_and T:i T:i -> T
6.4 bitwise_or T:i T:i -> T
6.4 bitwise_xor T:i T:i -> T
6.4 bitwise_not T:i -> T
6.4 bit_count i -> I64
6.4 shift_left T:i i -> T
6.4 shift_right T:i i -> T
6.6 date_part 'Hour' d -> I64
6.6 date_part 'iso_day_of_week' d 'europe/paris' -> I64
6.6 date_trunc 'week' d -> DATETIME
6.6 date_trunc 'year' d '+05:30' -> DATETIME
6.6 date_add 'month' i d -> DATETIME
6.6 date_add 'month' i d 'UTC' -> DATETIME
6.6 date_diff 'day' d d -> I64
6.6 date_diff 'quarter' d d 'EST' -> I64
6.6 to_unix 'SECOND' d -> I64
6.6 from_unix 'millisecond' i -> DATETIME
6.6 format_datetime '%F %T' d -> STRING
6.6 format_datetime '%F %Q' d 'Asia/Tokyo' -> STRING
6.6 parse_datetime '%F %T%:z' s -> DATETIME
6.6 parse_datetime '%F %R' s 'UTC' -> DATETIME
6.7 count L:a -> I64
6.7 sum L:n -> T ?
6.7 first L:c -> T ?
6.7 last L:c -> T ?
6.7 min L:c -> T ?
6.7 max L:c -> T ?
6.7 nth L:c i -> T ?
6.7 overlap L:k L:k -> BOOL
6.7 slice L:a i i -> VEC<T>
6.7 mean L:n -> F64 ?
6.7 dot L:n L:n -> T
6.7 distance L:n L:n -> F64
6.7 vec T:a -> VEC<T>
6.7 vec T:a T:a -> VEC<T>
`
  .trim()
  .split('\n');
