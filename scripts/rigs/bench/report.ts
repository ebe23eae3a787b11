import { median, quartilesOf } from './duration.ts';
import { type Measurement, type Row, type Target, verdictOf } from './row.ts';

/** A benchmark row with its results. */
export interface RowResult {
  row: Row;
  /** Load average over the last minute when the row started. */
  load: number;
  measurements: readonly Measurement[];
}

/** Time and hardware of the run. The host name is omitted, because it could identify the owner. */
export interface RunEnvironment {
  cores: number;
  processor: string;
  memoryGB: number;
  node: string;
  platform: string;
  /** Load average over the last minute. A value above the number of cores means that the machine was busy. */
  load: number;
  now: Date;
}

const HEAD = ['', 'portal', 'bare', 'ratio', 'quartiles', 'target', ''] as const;

const cellsOf = ({ what, ours, bare = '', ratio, target }: Measurement): string[] => [
  what,
  ours,
  bare,
  ratio === undefined ? '' : ratio.toFixed(2),
  target ? spreadOf(target) : '',
  target ? limitOf(target) : '',
  target ? verdictOf(target) : '',
];

function spreadOf({ results, unit }: Target): string {
  if (results.length < 2) return '';
  const [low, high] = quartilesOf(results).map((value) => (unit ? Math.round(value) : value.toFixed(2)));
  return withUnit(low === high ? `${low}` : `${low}–${high}`, unit);
}

const limitOf = ({ limit, direction, unit }: Target): string =>
  withUnit(`${direction === 'at least' ? '≥' : '≤'} ${limit}`, unit);

const withUnit = (text: string, unit: string | undefined): string => (unit ? `${text} ${unit}` : text);

const titleOf = ({ row, load }: RowResult): string => `${row.title} (load ${load.toFixed(1)})`;

/** Formats the results for a terminal. */
export const formatTable = (results: readonly RowResult[]): string =>
  aligned([
    [...HEAD],
    ...results.flatMap((result) => [[titleOf(result)], ...result.measurements.map(cellsOf).map(indented)]),
  ]);

/** Results of one row with two versions of the portal, each of several runs in turn. */
export interface Comparison {
  row: Row;
  ours: readonly RowResult[];
  theirs: readonly RowResult[];
}

/** Formats a comparison of this version with another one. Shows the medians of all rounds, with their quartiles. */
export function formatComparison(comparisons: readonly Comparison[], revision: string): string {
  const lines = comparisons.flatMap(({ row, ours, theirs }) => [
    [row.title],
    ...(ours[0]?.measurements ?? []).map(({ what }) =>
      indented([what, ...columnsOf(ours, what), ...columnsOf(theirs, what)]),
    ),
  ]);
  return aligned([['', 'this version', 'ratio', 'quartiles', revision, 'ratio', 'quartiles'], ...lines]);
}

function columnsOf(results: readonly RowResult[], what: string): string[] {
  const found = results.flatMap(({ measurements }) => measurements.filter((measurement) => measurement.what === what));
  const [first] = found;
  if (!first) return ['', '', ''];
  const target = first.target && { ...first.target, results: found.flatMap((one) => one.target?.results ?? []) };
  const ratios = found.flatMap(({ ratio }) => ratio ?? []);
  return [first.ours, ratios.length > 0 ? median(ratios).toFixed(2) : '', target ? spreadOf(target) : ''];
}

function aligned(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((cells) => (cells.length === 1 ? 0 : (cells[column] ?? '').length))),
  );
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const indented = ([what = '', ...rest]: readonly string[]): string[] => [`  ${what}`, ...rest];

/** Returns the content of docs/benchmarks.md. */
export function formatDocument(results: readonly RowResult[], surroundings: RunEnvironment): string {
  const { cores, processor, memoryGB, node, platform, load, now } = surroundings;
  const table = results.flatMap((result) => [
    `| **${titleOf(result)}** | | | | | | |`,
    ...result.measurements.map((measurement) => `| ${cellsOf(measurement).join(' | ')} |`),
  ]);
  return `# Benchmarks

Made by \`npx -y pnpm@12 bench\` on ${now.toISOString().slice(0, 10)}: ${cores} cores (${processor}), ${memoryGB} GB, ${platform}, Node ${node}, load ${load.toFixed(1)} at the
start. Every number is compared with a baseline from the same run: compare the ratios, not the numbers. Half of the rounds were between the
*quartiles*. Nothing here is a test; a missed target is marked *behind*, or *noisy* if it is between the quartiles, because another run could meet
it. The load is the average of the minute before each row: above the number of cores, the machine was busy.

| | portal | bare | ratio | quartiles | target | |
|---|---|---|---|---|---|---|
${table.join('\n')}

## What is compared
${results.map(({ row }) => `\n**${row.title}** (\`bench --row ${row.name}\`). ${row.about}\n`).join('')}`;
}
