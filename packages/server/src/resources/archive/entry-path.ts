/** Bytes of one name in UTF-8, which is what file systems take. */
const NAME_BYTES_MAX = 255;
/** Bytes of a whole path in UTF-8; the folder of the store comes before it. */
const PATH_BYTES_MAX = 2_048;
const DEPTH_MAX = 64;

/** The control characters of ASCII, among them NUL, and what decoders put for bytes that are no text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const UNFIT = /[\u0000-\u001f\u007f\\\ufffd]/u;
/** What Windows gives a meaning of its own, such as a colon before the name of a stream. */
const RESERVED = /[:*?"<>|]/u;
/** What Windows takes for a device, whatever follows the first dot. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\..*)?$/iu;
/** Half of a pair: no text in UTF-8. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** What a path of an archive comes to. */
export type EntryPath =
  | { readonly kind: 'path'; readonly path: string; readonly components: readonly string[] }
  /** The folder that the archive was made of. */
  | { readonly kind: 'root' }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Reads the path of an archive's entry. What is left stays below the folder it is unpacked into, on
 * every file system alike, those of Windows included: relative, without `.`, `..`, control characters
 * and names that mean something else there, and of bounded length.
 */
export function readEntryPath(written: string): EntryPath {
  const refused = (reason: string): EntryPath => {
    return { kind: 'refused', reason: `path ${quoted(written)} ${reason}` };
  };
  if ([UNFIT, RESERVED, LONE_SURROGATE].some((unfit) => unfit.test(written))) {
    return refused('holds characters that a path may not hold');
  }
  if (written.startsWith('/')) return refused('is absolute');
  // Archives of a folder often call it `.`, and folders often end with a slash.
  const path = written.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '');
  if (path === '' || path === '.') return { kind: 'root' };
  const components = path.split('/');
  if (components.includes('..')) return refused('leads out of the archive');
  if (components.some((name) => name === '' || name === '.')) {
    return refused('holds an empty name');
  }
  const fault = nameFault(components);
  if (fault !== undefined) return refused(fault);
  if (components.length > DEPTH_MAX) return refused(`is deeper than ${DEPTH_MAX} folders`);
  if (components.some((name) => Buffer.byteLength(name) > NAME_BYTES_MAX)) {
    return refused(`holds a name longer than ${NAME_BYTES_MAX} bytes`);
  }
  if (Buffer.byteLength(path) > PATH_BYTES_MAX) {
    return refused(`is longer than ${PATH_BYTES_MAX} bytes`);
  }
  return { kind: 'path', path, components };
}

/** What is wrong with names by themselves. */
function nameFault(names: readonly string[]): string | undefined {
  if (names.some((name) => /[. ]$/u.test(name)))
    return 'holds a name that ends with a dot or space';
  const device = names.find((name) => DEVICE.test(name));
  return device === undefined ? undefined : `holds ${quoted(device)}, the name of a device`;
}

/** A path for a message: short, and without what a terminal would obey. */
export function quoted(path: string): string {
  const shown = path.length > 200 ? `${path.slice(0, 200)}…` : path;
  return `'${shown.replaceAll(new RegExp(UNFIT, 'gu'), '?')}'`;
}

/**
 * What a path is the same as on file systems that fold case, normalize text or pass over characters
 * that nobody sees: two entries that fold alike would be one file there.
 */
export function foldedPath(path: string): string {
  const visible = path.replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  return visible.normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC');
}
