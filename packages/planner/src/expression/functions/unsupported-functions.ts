/** Functions of the language that this release does not have; their names stay reserved. */
export const UNSUPPORTED_FUNCTIONS: ReadonlySet<string> = new Set(
  [
    'ascii normalize_nfc split join translate to_hex md5 contains_any like ilike',
    'regexp_like regexp_replace regexp_substr regexp_extract',
    'bytes_from_utf8 bytes_to_utf8 base64_encode base64_decode hex_encode hex_decode',
    'sha256 xxh3_64 ip_from_string ip_to_string ip_family ip_unmap ip_trunc ip_in_network',
    'is_ip_address is_url url_scheme url_path url_host url_query url_fragment url_port',
    'url_query_value url_query_values url_decode',
    'acos asin atan atan2 cos sin tan degrees radians exp ln log log2 pow power',
    'bitwise_and bitwise_or bitwise_xor bitwise_not bit_count shift_left shift_right',
    'read_headers lookup_hash_map',
    'date_part date_trunc date_bin date_add date_diff to_unix from_unix format_datetime',
    'parse_datetime',
    'array vec count sum first last min max nth overlap slice mean dot distance',
  ].flatMap((names) => names.split(' ')),
);
