import { expect, test } from 'vitest';
import { median } from './duration.ts';
import { formatComparison, formatDocument, formatTable } from './report.ts';
import { atLeast, atMost } from './row.ts';

const row = { name: 'reads', title: 'Reads', about: 'Two servers.', run: async () => [] };
const measurements = [
  { what: 'GET user', ours: '25 µs', bare: '50 µs', ratio: 2, ...atLeast(0.5, [2]) },
  { what: 'GET profile', ours: '30 µs', bare: '9 µs', ratio: 0.3, ...atLeast(0.5, [0.26, 0.3, 0.32]) },
  { what: 'PUT user', ours: '40 µs', bare: '19 µs', ratio: 0.48, ...atLeast(0.5, [0.48, 0.2, 0.55]) },
  { what: 'memory', ours: '90 MB', ...atMost(100, [88.2, 90, 91.3], 'MB') },
  { what: 'start', ours: '1 s' },
];
const result = { row, load: 1.26, measurements };

test('marks a missed target as noisy if it is between the quartiles, otherwise as behind', () => {
  expect(formatTable([result]).split('\n')).toEqual([
    '               portal  bare   ratio  quartiles  target',
    'Reads (load 1.3)',
    '  GET user     25 µs   50 µs  2.00              ≥ 0.5     ok',
    '  GET profile  30 µs   9 µs   0.30   0.28–0.31  ≥ 0.5     behind',
    '  PUT user     40 µs   19 µs  0.48   0.34–0.52  ≥ 0.5     noisy',
    '  memory       90 MB                 89–91 MB   ≤ 100 MB  ok',
    '  start        1 s',
  ]);
});

test('compares two versions by the medians and quartiles of all their rounds', () => {
  const again = {
    row,
    load: 1,
    measurements: [{ what: 'GET profile', ours: '31 µs', ratio: 0.4, ...atLeast(0.5, [0.4]) }],
  };
  expect(
    formatComparison([{ row, ours: [result, again], theirs: [again] }], 'v0.1.0')
      .split('\n')
      .slice(0, 4),
  ).toEqual([
    '               this version  ratio  quartiles  v0.1.0  ratio  quartiles',
    'Reads',
    '  GET user     25 µs         2.00',
    '  GET profile  30 µs         0.35   0.29–0.34  31 µs   0.40',
  ]);
});

test('states the time and hardware in the document, but not the host name', () => {
  const surroundings = {
    cores: 2,
    processor: 'Some CPU',
    memoryGB: 8,
    node: '24.0.0',
    platform: 'linux x64',
    load: 0.25,
    now: new Date('2026-03-02T09:30:00.000Z'),
  };
  const document = formatDocument([result], surroundings);
  expect(document).toContain(
    'on 2026-03-02: 2 cores (Some CPU), 8 GB, linux x64, Node 24.0.0, load 0.3 at the\nstart.',
  );
  expect(document).toContain('| GET profile | 30 µs | 9 µs | 0.30 | 0.28–0.31 | ≥ 0.5 | behind |');
  expect(document).toContain('**Reads** (`bench --row reads`). Two servers.');
});

test('averages the two middle values for the median of an even number of values', () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2])]).toEqual([2, 2.5]);
});
