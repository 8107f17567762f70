/** How a read presents its answer. */
export type OutputFormat = 'TEXT' | 'JSON';
