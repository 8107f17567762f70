/** Who reads a text: a client, or a node to which a client sends it. */
export type GrammarForm = 'client' | 'server';
