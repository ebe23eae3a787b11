/**
 * Indents XML for people: an element per line, indented by its depth; an element that holds only text stays on one
 * line.
 * @param xml without comments and the like, as the portal writes it
 */
export function indentXml(xml: string): string {
  let depth = 0;
  return xml
    .replaceAll(/>\s*</g, '>\n<')
    .split('\n')
    .map((line) => {
      if (line.startsWith('</')) depth -= 1;
      const indented = `${'  '.repeat(Math.max(0, depth))}${line}`;
      const isOpening = /^<[^/?!]/.test(line) && !line.endsWith('/>') && !line.includes('</');
      if (isOpening) depth += 1;
      return indented;
    })
    .join('\n');
}
