import { listStart } from '@orchestrate/shared';

/**
 * Where a paragraph of Word stands in a list, as `mso-list:l0 level1 lfo1`: Word writes lists as paragraphs with a
 * marker in their text. A list that begins again at 1 has the same `l`, but another `lfo`.
 */
const PLACE = /mso-list:\s*(l\d+)(?:\s+level(\d+))?(?:\s+(lfo\d+))?/i;
const MARKER = '[style*="mso-list:Ignore" i], [style*="mso-list: Ignore" i]';

/** `1.`, `a)` and `iv.` count; everything else is a bullet. */
const NUMBER = /^\(?[\p{L}\p{N}]+[.)]/u;
/** Of `1.2.` the 2: the list around it has the 1. */
const LAST_NUMBER = /(\d+)[.)]?$/;

/** HTML from the clipboard with Word's lists as lists, each of its own kind; everything else as it is. */
export function withWordLists(html: string): string {
  if (!/mso-list/i.test(html)) return html;
  const page = new DOMParser().parseFromString(html, 'text/html');
  for (const paragraph of page.querySelectorAll<HTMLElement>('p')) {
    // Those after it were moved into its list.
    if (paragraph.isConnected) gather(paragraph);
  }
  return page.body.innerHTML;
}

const placeOf = (paragraph: Element | null) =>
  paragraph?.matches('p') ? PLACE.exec(paragraph.getAttribute('style') ?? '') : null;

/** Puts an entry and those right after it into lists, by their levels; leaves everything else. */
function gather(first: HTMLElement): void {
  const lists: { level: number; key: string; list: HTMLElement }[] = [];
  let entry: Element | null = first;
  for (let place = placeOf(entry); entry && place; place = placeOf(entry)) {
    const next: Element | null = entry.nextElementSibling;
    const level = Number(place[2] ?? 1);
    const marker = entry.querySelector(MARKER);
    const mark = marker?.textContent?.trim() ?? '';
    const kind = NUMBER.test(mark) ? 'ol' : 'ul';
    const key = `${kind} ${place[1]} ${place[3]}`.toLowerCase();
    marker?.remove();
    while ((lists.at(-1)?.level ?? 0) > level) lists.pop();
    if (lists.at(-1)?.level === level && lists.at(-1)?.key !== key) lists.pop();
    if (lists.at(-1)?.level !== level) {
      const list = first.ownerDocument.createElement(kind);
      const start = kind === 'ol' && listStart(LAST_NUMBER.exec(mark)?.[1]);
      if (start) list.setAttribute('start', start);
      const above = lists.at(-1)?.list.lastElementChild;
      if (above) above.append(list);
      else entry.before(list);
      lists.push({ level, key, list });
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
