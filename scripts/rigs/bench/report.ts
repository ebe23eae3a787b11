import type { Measurement, Row } from './row.ts';

/** A benchmark row with its results. */
export interface RowResult {
  row: Row;
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

const HEAD = ['', 'portal', 'bare', 'ratio', 'target', ''] as const;

const cellsOf = ({ what, ours, bare = '', ratio, target }: Measurement): string[] => [
  what,
  ours,
  bare,
  ratio === undefined ? '' : ratio.toFixed(2),
  target?.words ?? '',
  target === undefined ? '' : target.isMet ? 'ok' : 'behind',
];

/** Formats the results for a terminal. */
export function formatTable(results: readonly RowResult[]): string {
  const lines = results.flatMap(({ row, measurements }) => [[row.title], ...measurements.map(indented)]);
  const all = [[...HEAD], ...lines];
  const widths = HEAD.map((_, column) =>
    Math.max(...all.map((cells) => (cells.length === 1 ? 0 : (cells[column] ?? '').length))),
  );
  return all
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function indented(measurement: Measurement): string[] {
  const [what = '', ...rest] = cellsOf(measurement);
  return [`  ${what}`, ...rest];
}

/** Returns the content of docs/benchmarks.md. */
export function formatDocument(results: readonly RowResult[], surroundings: RunEnvironment): string {
  const { cores, processor, memoryGB, node, platform, load, now } = surroundings;
  const table = results.flatMap(({ row, measurements }) => [
    `| **${row.title}** | | | | | |`,
    ...measurements.map((measurement) => `| ${cellsOf(measurement).join(' | ')} |`),
  ]);
  return `# Benchmarks

Made by \`npx -y pnpm@12 bench\` on ${now.toISOString().slice(0, 10)}: ${cores} cores (${processor}), ${memoryGB} GB, ${platform}, Node ${node}, load ${load.toFixed(1)} at the
start. Every number is compared with a baseline from the same run: compare the ratios, not the numbers. Nothing here is a test; a missed target
is marked *behind*.

| | portal | bare | ratio | target | |
|---|---|---|---|---|---|
${table.join('\n')}

## What is compared
${results.map(({ row }) => `\n**${row.title}** (\`bench --row ${row.name}\`). ${row.about}\n`).join('')}`;
}
