import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import type { TestPortal } from './test-portal.ts';

/**
 * Runs work with this process's timers stopped. Work that waits for a timer never ends, so its test times out. The
 * benchmarks measure its duration.
 */
export async function withoutTimers<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}

/** Deletes the demo's invitations, for tests that count their own. */
export function deleteInvitations({ deps: { db } }: TestPortal): void {
  db.$client.exec('DELETE FROM invitations');
}

const DOCS = join(import.meta.dirname, '../../../docs');

/**
 * Returns the shell commands of a chapter, ready to run.
 * @param page a file in `docs`
 * @param replace values for the page's placeholders
 */
export function docsCommands(page: string, chapter: string, replace: Readonly<Record<string, string>>): string[] {
  const [, text = ''] = readFileSync(join(DOCS, page), 'utf8').split(`\n## ${chapter}\n`);
  const [, shell = ''] = /```sh\n(.*?)```/s.exec(text) ?? [];
  const filled = Object.entries(replace).reduce((all, [from, to]) => all.replaceAll(from, to), shell);
  return filled.trim().split('\n');
}
