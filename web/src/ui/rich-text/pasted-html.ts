import { withWordLists } from './pasted-from-word.ts';

/** More columns or rows than an answer could show. */
const SPAN_MAX = 50;

/** What an answer calls the other levels of headings. */
const HEADINGS = { h1: 'h2', h4: 'h3', h5: 'h3', h6: 'h3' };

/** HTML from the clipboard with the headings, lists and tables of other programs as an answer has them. */
export function asAnswer(html: string): string {
  const page = new DOMParser().parseFromString(withWordLists(html), 'text/html');
  for (const [from, to] of Object.entries(HEADINGS)) {
    for (const heading of page.querySelectorAll(from)) {
      const renamed = page.createElement(to);
      renamed.append(...heading.childNodes);
      heading.replaceWith(renamed);
    }
  }
  for (const table of page.querySelectorAll('table')) fillSpans(table);
  return page.body.innerHTML;
}

/** What an answer cannot have of something pasted or dropped. Word adds a picture of its whole text. */
export function leftOut(data: DataTransfer | null): { pictures: boolean; styles: boolean } {
  const html = data?.getData('text/html') ?? '';
  return {
    pictures: html ? /<img\b/i.test(html) : [...(data?.files ?? [])].some(({ type }) => type.startsWith('image/')),
    styles: /<(s|strike|del|sub|sup)[\s>]|line-through|vertical-align:\s*(sub|super)\b/i.test(html),
  };
}

/** Puts empty cells where a cell reaches over several columns or rows, so that the others stay in their column. */
function fillSpans(table: HTMLTableElement): void {
  /** How many rows more the cell above reaches, for each column. */
  const reach: number[] = [];
  for (const row of table.rows) {
    let column = 0;
    const fillReached = (before: Element | null) => {
      for (let rows = reach[column] ?? 0; rows > 0; rows = reach[column] ?? 0) {
        reach[column] = rows - 1;
        row.insertBefore(table.ownerDocument.createElement('td'), before);
        column += 1;
      }
    };
    for (const cell of [...row.cells]) {
      fillReached(cell);
      for (let span = 0; span < Math.min(cell.colSpan, SPAN_MAX); span += 1) {
        if (span > 0) cell.after(table.ownerDocument.createElement('td'));
        reach[column] = Math.min(cell.rowSpan, SPAN_MAX) - 1;
        column += 1;
      }
    }
    fillReached(null);
  }
}
