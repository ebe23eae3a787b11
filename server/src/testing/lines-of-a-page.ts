import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCS = join(import.meta.dirname, '../../../docs');

/**
 * The shell lines of a chapter, as a person would copy them, for a test that runs them.
 * @param page a file in `docs`; @param replace what stands there for a value of the reader's own
 */
export function linesOfChapter(page: string, chapter: string, replace: Readonly<Record<string, string>>): string[] {
  const [, text = ''] = readFileSync(join(DOCS, page), 'utf8').split(`\n## ${chapter}\n`);
  const [, shell = ''] = /```sh\n(.*?)```/s.exec(text) ?? [];
  const put = Object.entries(replace).reduce((all, [from, to]) => all.replaceAll(from, to), shell);
  return put.trim().split('\n');
}
