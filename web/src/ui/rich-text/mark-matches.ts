const special = /[.*+?^${}()|[\]\\]/g;

/** Where one of the words stands in a text, whatever its case; null for no words. */
export function patternOf(words: readonly string[]): RegExp | null {
  const wanted = words.filter(Boolean).map((word) => word.replace(special, '\\$&'));
  return wanted.length > 0 ? new RegExp(`(${wanted.join('|')})`, 'giu') : null;
}

/** Puts a `mark` around the words wherever they stand in the nodes. */
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

/** Of what a pattern with one group has split, every second part is a match. */
function markedParts(parts: readonly string[]): DocumentFragment {
  const fragment = document.createDocumentFragment();
  parts.forEach((part, at) => {
    if (at % 2 === 0) fragment.append(part);
    else fragment.append(Object.assign(document.createElement('mark'), { textContent: part }));
  });
  return fragment;
}
