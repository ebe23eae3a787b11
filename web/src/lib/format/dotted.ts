/** Names, addresses and times in one line. From right to left each keeps its own direction and its place. */
export function dotted(...parts: (string | number | false | null | undefined)[]): string {
  const isFromRight = document.documentElement.dir === 'rtl';
  const shown = parts.filter((part) => part || part === 0);
  return shown.map((part) => (isFromRight ? `\u2068${part}\u2069` : part)).join(' · ');
}
