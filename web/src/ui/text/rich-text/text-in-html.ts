const special = /[.*+?^${}()|[\]\\]/g;

/** Returns a pattern that matches any of the words, ignoring case, or null if there are no words. */
export function wordPattern(words: readonly string[]): RegExp | null {
  const wanted = words.filter(Boolean).map((word) => word.replace(special, '\\$&'));
  return wanted.length > 0 ? new RegExp(`(${wanted.join('|')})`, 'giu') : null;
}

/** Wraps all occurrences of the words in `mark` elements. */
export function markMatches(root: DocumentFragment, words: readonly string[]): void {
  const pattern = wordPattern(words);
  if (!pattern) return;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Node[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    const parts = (text.nodeValue ?? '').split(pattern);
    if (parts.length > 1) text.parentNode?.replaceChild(markedParts(parts), text);
  }
}

/**
 * Joins split text, with the matches in `mark` elements. Splitting by a pattern with one group makes every second
 * string a match.
 */
function markedParts(parts: readonly string[]): DocumentFragment {
  const fragment = document.createDocumentFragment();
  parts.forEach((part, at) => {
    if (at % 2 === 0) fragment.append(part);
    else fragment.append(Object.assign(document.createElement('mark'), { textContent: part }));
  });
  return fragment;
}

const BLOCK_ENDS = /<\/(?:p|h2|h3|li|pre|blockquote)>|<br\s*\/?>/gi;

/** Converts rich text to plain text with a space between paragraphs. Nothing in the HTML is run or loaded. */
export function answerText(html: string): string {
  const { body } = new DOMParser().parseFromString(html.replace(BLOCK_ENDS, '$& '), 'text/html');
  return body.textContent.replace(/\s+/g, ' ').trim();
}
