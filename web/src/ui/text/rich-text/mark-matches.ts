const special = /[.*+?^${}()|[\]\\]/g;

/** Matches any of the words in a text, in any case; null for no words. */
export function patternOf(words: readonly string[]): RegExp | null {
  const wanted = words.filter(Boolean).map((word) => word.replace(special, '\\$&'));
  return wanted.length > 0 ? new RegExp(`(${wanted.join('|')})`, 'giu') : null;
}

/** Wraps the words in `mark` wherever they appear in the nodes. */
export function markMatches(root: DocumentFragment, words: readonly string[]): void {
  const pattern = patternOf(words);
  if (!pattern) return;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Node[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    const parts = (text.nodeValue ?? '').split(pattern);
    if (parts.length > 1) text.parentNode?.replaceChild(markedParts(parts), text);
  }
}

/** Splitting by a pattern with one group makes every second part a match. */
function markedParts(parts: readonly string[]): DocumentFragment {
  const fragment = document.createDocumentFragment();
  parts.forEach((part, at) => {
    if (at % 2 === 0) fragment.append(part);
    else fragment.append(Object.assign(document.createElement('mark'), { textContent: part }));
  });
  return fragment;
}
