const piece = /'[^'\n]*'|"[^"\n]*"|`[^`\n]*`|\$(\w*)\$|\/\/[^\n]*|;|\s+|[^\s;'"`$/]+|./gsy;

/** Whether a text ends with a `;` that is a token, and not part of a string or a comment. */
export function endsWithTerminator(text: string): boolean {
  let isTerminated = false;
  piece.lastIndex = 0;
  for (;;) {
    const match = piece.exec(text);
    if (match === null) return isTerminated;
    const [token, tag] = match;
    if (tag !== undefined) {
      const end = text.indexOf(token, piece.lastIndex);
      if (end < 0) return false;
      piece.lastIndex = end + token.length;
    }
    if (token.startsWith('//') || /^\s/.test(token)) continue;
    isTerminated = token === ';';
  }
}
