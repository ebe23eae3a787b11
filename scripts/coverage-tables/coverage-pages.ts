import type { CoveringTest } from './covering-tests.ts';

/** Pages with coverage tables, each with the prefix of its rows in `// covers:` comments. */
export const COVERAGE_PAGES: ReadonlyMap<string, string> = new Map([
  ['docs/spec-coverage.md', 'spec'],
  ['docs/scim-coverage.md', 'scim'],
  ['docs/security.md', 'security'],
  ['docs/openid-conformance.md', 'openid'],
]);

/** A row of a coverage table, whose last column is "shown by". */
export interface CoverageRow {
  /** The page's prefix followed by each number in the first cell, e.g. `spec 1.4.2`. */
  names: readonly string[];
  cells: readonly string[];
}

/** Returns the page with each row's tests in the last column. Rows without tests are left unchanged. */
export function withTests(page: string, word: string, tests: readonly CoveringTest[]): string {
  return mapRows(page, word, ({ names, cells }) => {
    const covering = tests.filter(({ covers }) => covers.some((name) => names.includes(name)));
    return covering.length === 0 ? cells : [...cells.slice(0, -1), linksTo(covering)];
  });
}

/** Returns the rows of every coverage table on a page. */
export function coverageRows(page: string, word: string): CoverageRow[] {
  const rows: CoverageRow[] = [];
  mapRows(page, word, (row) => {
    rows.push(row);
    return row.cells;
  });
  return rows;
}

function mapRows(page: string, word: string, map: (row: CoverageRow) => readonly string[]): string {
  let isCoverage = false;
  return page
    .split('\n')
    .map((line) => {
      if (!line.startsWith('|')) isCoverage = false;
      if (line.endsWith('| shown by |')) isCoverage = true;
      else if (isCoverage && !line.startsWith('|--') && !line.startsWith('| --')) {
        const cells = line.replace(/^\| | \|$/g, '').split(' | ');
        const numbers = cells[0]?.replaceAll('`', '').split(', ') ?? [];
        const names = numbers.map((number) => `${word} ${number}`);
        return `| ${map({ names, cells }).join(' | ')} |`;
      }
      return line;
    })
    .join('\n');
}

/** Returns links to the test files. Searching a file for the row name finds the test. */
function linksTo(tests: readonly CoveringTest[]): string {
  const files = new Set(tests.map(({ file }) => file));
  return [...files].map((file) => `[${file.split('/').at(-1)}](../${file})`).join(', ');
}
