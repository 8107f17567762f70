/** A field of a schema. */
export const field = (name, type, optional = false) => ({ name, type, optional, sensitive: false });
