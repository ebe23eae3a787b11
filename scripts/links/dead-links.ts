import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const CODE = /^```.*?^```|`[^`\n]+`/gms;
const LINK = /\]\(<?([^)>\s]+)>?[^)]*\)|(?:src|href)="([^"]+)"/g;
const ELSEWHERE = /^[a-z]+:/;

/**
 * The links of pages that lead nowhere, each as `page: link`: to a file that is not there, or to a heading that its
 * page does not have. Other hosts are not asked.
 * @param pages below the folder
 */
export function deadLinks(folder: string, pages: readonly string[]): string[] {
  return pages.flatMap((page) =>
    [...readFileSync(join(folder, page), 'utf8').replace(CODE, '').matchAll(LINK)]
      .map(([, written, attribute]) => written ?? attribute ?? '')
      .filter((link) => !ELSEWHERE.test(link) && !isAlive(folder, page, link))
      .map((link) => `${page}: ${link}`),
  );
}

export function isAlive(folder: string, page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(folder, page) : join(folder, dirname(page), path);
  if (!existsSync(target)) return false;
  return anchor === undefined || (statSync(target).isFile() && anchorsOf(target).has(decodeURIComponent(anchor)));
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(file: string): Set<string> {
  const text = readFileSync(file, 'utf8').replace(/^```.*?^```/gms, '');
  const times = new Map<string, number>();
  const anchors = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const anchor = heading
      .trim()
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-');
    const before = times.get(anchor) ?? 0;
    times.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
  return new Set(anchors);
}
