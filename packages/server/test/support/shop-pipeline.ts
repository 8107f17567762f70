/** A graph that holds every kind of model. */
export const SHOP_PIPELINE: readonly string[] = [
  'CREATE SCHEMA sale (id I64, tenant STRING, amount F64, at DATETIME);',
  'CREATE WIRE JSON SCHEMA sale_json MODE STRICT (id INTEGER, tenant STRING, amount NUMBER, at STRING);',
  'CREATE CODEC sale_codec FROM WIRE JSON SCHEMA sale_json TO SCHEMA sale ENCODE at AS RFC3339;',
  'CREATE SCHEMA tenant_key (tenant STRING);',
  'CREATE BRANCH by_tenant SCHEMA tenant_key TTL 1h;',
  'CREATE RELAY sales SCHEMA sale BRANCHED BY by_tenant CAPACITY 64;',
  'CREATE RELAY unique_sales SCHEMA sale BRANCHED BY by_tenant CAPACITY 32;',
  'CREATE RELAY big_sales SCHEMA sale BRANCHED BY by_tenant CAPACITY 16;',
  'CREATE VHOST shop_host shop.example, localhost;',
  "CREATE ENDPOINT sales_endpoint ON shop_host PATH '/sales' TYPE HTTP;",
  `CREATE INGESTOR sales_in
    FROM ENDPOINT sales_endpoint MODE NO_ACK SEQUENTIAL ON QUIESCE REJECT RETRY AFTER 1s
    DECODE USING sale_codec
    TIMESTAMP NOW
    TO sales INHERIT ALL BRANCHED BY by_tenant SET tenant = input.tenant
      FLUSH EACH 50ms MAX BATCH SIZE 256KiB ON MESSAGE ERROR LOG
    ON DECODE ERROR LOG
    ON GENERAL ERROR LOG;`,
  `CREATE DEDUPLICATOR once
    FROM sales
    DEDUPLICATE ON input.id, input.amount MAX TIME 10m
    BRANCHED BY by_tenant
    TO unique_sales INHERIT ALL FLUSH EACH 100ms MAX BATCH SIZE 1MiB ON MESSAGE ERROR LOG;`,
  `CREATE JUNCTION big
    FROM unique_sales WHERE input.amount >= 100.0 AS F64
    BRANCHED BY by_tenant
    TO big_sales INHERIT ALL FLUSH IMMEDIATE ON MESSAGE ERROR LOG;`,
  'CREATE SCHEMA summary (sales I64, first F64, last F64, low F64, high F64, mean F64);',
  'CREATE RELAY summaries SCHEMA summary BRANCHED BY by_tenant CAPACITY 8;',
  `CREATE WINDOW PROCESSOR totals
    FROM unique_sales
    WIDTH 100 MESSAGES STEP 10 MESSAGES
    BRANCHED BY by_tenant
    TO summaries
      SET sales = COUNT(input.id),
          first = FIRST(input.amount),
          last = LAST(input.amount),
          low = MIN(input.amount),
          high = MAX(input.amount),
          mean = AVG(input.amount)
      ON MESSAGE ERROR LOG;`,
  "CREATE CLIENT desk TYPE HTTP CONFIG { 'endpoint' = 'http://127.0.0.1:9', 'timeout_ms' = 5000 };",
  `CREATE EMITTER alerts
    FROM big_sales
    TO HTTP desk METHOD 'POST' PATH '/alerts' MODE ACK RETRY POLICY BACKOFF 100ms MAX 5s
    ENCODE USING sale_codec
    INHERIT ALL
    FLUSH IMMEDIATE
    ON MESSAGE ERROR LOG
    ON GENERAL ERROR LOG;`,
];
