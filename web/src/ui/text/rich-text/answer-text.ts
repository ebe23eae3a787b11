const BLOCK_ENDS = /<\/(?:p|h2|h3|li|pre|blockquote)>|<br\s*\/?>/gi;

/** The words of rich text; those of adjacent paragraphs are kept apart. Nothing in it is run or loaded. */
export function answerText(html: string): string {
  const { body } = new DOMParser().parseFromString(html.replace(BLOCK_ENDS, '$& '), 'text/html');
  return body.textContent.replace(/\s+/g, ' ').trim();
}
