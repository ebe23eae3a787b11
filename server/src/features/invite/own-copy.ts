/** A substring keeps the whole original in memory, here a block of the file, so its bytes are copied instead. */
export const ownCopy = (text: string): string => Buffer.from(text).toString();
