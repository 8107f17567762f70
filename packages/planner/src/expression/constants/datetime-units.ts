/** Units of one fixed length. */
export const FIXED_UNITS = [
  'nanosecond',
  'microsecond',
  'millisecond',
  'second',
  'minute',
  'hour',
  'day',
  'week',
] as const;

/** Units that calendars count, those of one length among them. */
export const CALENDAR_UNITS: readonly string[] = [...FIXED_UNITS, 'month', 'quarter', 'year'];

/** Parts that `date_part` reads. */
export const DATE_PARTS = [
  'year',
  'quarter',
  'month',
  'day',
  'hour',
  'minute',
  'second',
  'millisecond',
  'microsecond',
  'nanosecond',
  'day_of_week',
  'day_of_year',
  'iso_year',
  'iso_week',
  'iso_day_of_week',
] as const;

/** What becomes of a local time that a zone's clock skips or shows twice. */
export const DISAMBIGUATIONS = ['reject', 'earlier', 'later', 'compatible'] as const;
