/** A paragraph of Word that is an entry of a list: Word writes lists as paragraphs with a marker in their text. */
const ENTRY = 'p[style*="mso-list"]';
const MARKER = '[style*="mso-list:Ignore" i], [style*="mso-list: Ignore" i]';

/** `1.`, `a)` and `iv.` count; everything else is a bullet. */
const NUMBER = /^\(?[\p{L}\p{N}]+[.)]/u;

/** HTML from the clipboard with Word's lists as lists; everything else as it is. */
export function withWordLists(html: string): string {
  if (!/mso-list/i.test(html)) return html;
  const page = new DOMParser().parseFromString(html, 'text/html');
  for (const entry of page.querySelectorAll<HTMLElement>(ENTRY)) {
    // Those after it were moved into its list.
    if (entry.isConnected) gather(entry);
  }
  return page.body.innerHTML;
}

/** Puts an entry and those right after it into lists, by their levels. */
function gather(first: HTMLElement): void {
  const lists: { level: number; list: HTMLElement }[] = [];
  for (let entry: Element | null = first; entry?.matches(ENTRY); ) {
    const next: Element | null = entry.nextElementSibling;
    const level = Number(/level(\d)/i.exec(entry.getAttribute('style') ?? '')?.[1] ?? 1);
    const marker = entry.querySelector(MARKER);
    const kind = NUMBER.test(marker?.textContent?.trim() ?? '') ? 'ol' : 'ul';
    marker?.remove();
    while ((lists.at(-1)?.level ?? 0) > level) lists.pop();
    if (lists.at(-1)?.level !== level) {
      const list = first.ownerDocument.createElement(kind);
      const above = lists.at(-1)?.list.lastElementChild;
      if (above) above.append(list);
      else entry.before(list);
      lists.push({ level, list });
    }
    const item = first.ownerDocument.createElement('li');
    const words = first.ownerDocument.createElement('p');
    words.append(...entry.childNodes);
    item.append(words);
    lists.at(-1)?.list.append(item);
    entry.remove();
    entry = next;
  }
}
