import { expect, test } from 'vitest';
import { median } from './duration.ts';
import { formatDocument, formatTable } from './report.ts';

const row = { name: 'reads', title: 'Reads', about: 'Two servers.', run: async () => [] };
const measurements = [
  { what: 'GET user', ours: '25 µs', bare: '50 µs', ratio: 2, target: { words: '≥ 0.5', isMet: true } },
  { what: 'GET profile', ours: '30 µs', bare: '9 µs', ratio: 0.3, target: { words: '≥ 0.5', isMet: false } },
  { what: 'start', ours: '1 s' },
];

test('marks targets as met or missed, and leaves rows without a target blank', () => {
  expect(formatTable([{ row, measurements }]).split('\n')).toEqual([
    '               portal  bare   ratio  target',
    'Reads',
    '  GET user     25 µs   50 µs  2.00   ≥ 0.5   ok',
    '  GET profile  30 µs   9 µs   0.30   ≥ 0.5   behind',
    '  start        1 s',
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
  const document = formatDocument([{ row, measurements }], surroundings);
  expect(document).toContain(
    'on 2026-03-02: 2 cores (Some CPU), 8 GB, linux x64, Node 24.0.0, load 0.3 at the\nstart.',
  );
  expect(document).toContain('| GET profile | 30 µs | 9 µs | 0.30 | ≥ 0.5 | behind |');
  expect(document).toContain('**Reads** (`bench --row reads`). Two servers.');
});

test('averages the two middle values for the median of an even number of values', () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2])]).toEqual([2, 2.5]);
});
