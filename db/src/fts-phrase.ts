/** Quotes a text for FTS5: inside quotes only the quote itself is special, and is doubled (FTS5 §3.1). */
export const ftsPhrase = (text: string): string => `"${text.replaceAll('"', '""')}"`;
