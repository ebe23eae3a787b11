import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Matches a package's licence files. */
export const LEGAL = /^(?:licen[cs]es?|copying|notice)(?:[.-][^/]*)?$/i;

interface Description {
  name: string;
  version: string;
  license?: string;
  author?: string | { name: string };
  contributors?: (string | { name: string })[];
}

/**
 * Returns the notices that the licences of third-party code require.
 * @param modules paths of the bundled modules
 * @param client licences of the packages in the web client, as Vite lists them
 */
export function thirdPartyNotices(modules: readonly string[], client: string): string {
  const folders = new Set(
    modules.flatMap((path) => /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path)?.[1] ?? []),
  );
  const notices = [...folders].map(noticeOf).sort();
  return [
    'This package contains the following third-party software. The packages in node_modules have their own licence files.',
    ...notices,
    client.replace(/^# .*\n/, 'The web client contains the following third-party software.\n').trim(),
  ].join(`\n\n${'-'.repeat(80)}\n\n`);
}

function noticeOf(folder: string): string {
  const { name, version, license, author, contributors }: Description = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const texts = readdirSync(folder)
    .filter((file) => LEGAL.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const authors = [author, ...(contributors ?? [])].map((one) => (typeof one === 'string' ? one : one?.name));
  const holders =
    texts.length === 0 ? [`Copyright ${authors.filter(Boolean).join(', ') || `the ${name} authors`}`] : [];
  return [`${name} ${version}: ${license}`, ...holders, ...texts].join('\n\n');
}
