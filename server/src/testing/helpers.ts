import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import type { TestPortal } from './test-portal.ts';

/**
 * Runs work with this process's timers stopped. Work that waits for a timer never finishes, so its test times out.
 * Benchmarks measure how long the work takes.
 */
export async function withoutTimers<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}

/** Deletes the demo's invitations for tests that count their own invitations. */
export function deleteInvitations({ deps: { db } }: TestPortal): void {
  db.$client.exec('DELETE FROM invitations');
}

const DOCS = join(import.meta.dirname, '../../../docs');

/**
 * Returns a chapter's shell commands, ready to run.
 * @param page file name in `docs`
 * @param replace values for the page's placeholders
 */
export function docsCommands(page: string, chapter: string, replace: Readonly<Record<string, string>>): string[] {
  const [, text = ''] = readFileSync(join(DOCS, page), 'utf8').split(`\n## ${chapter}\n`);
  const [, shell = ''] = /```sh\n(.*?)```/s.exec(text) ?? [];
  const filled = Object.entries(replace).reduce((all, [from, to]) => all.replaceAll(from, to), shell);
  return filled.trim().split('\n');
}
