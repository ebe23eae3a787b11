const BLOCK_ENDS = /<\/(?:p|h2|h3|li|pre|blockquote)>|<br\s*\/?>/gi;

/** Converts rich text to plain text with a space between paragraphs. Nothing in the HTML is run or loaded. */
export function answerText(html: string): string {
  const { body } = new DOMParser().parseFromString(html.replace(BLOCK_ENDS, '$& '), 'text/html');
  return body.textContent.replace(/\s+/g, ' ').trim();
}
