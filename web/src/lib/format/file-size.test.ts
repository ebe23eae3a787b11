import { LIMITS } from '@orchestrate/shared';
import { expect, test } from 'vitest';
import { formatFileSize } from './numbers.ts';

// covers: spec 1.5.12, spec 2.9.5
test.each([
  [0, '0 Bytes'],
  [1, '1 Byte'],
  [1_023, '1,023 Bytes'],
  [1_024, '1 KB'],
  [1_536, '1.5 KB'],
  [1_048_575, '1 MB'],
  [LIMITS.csvUploadBytes, '50 MB'],
  [LIMITS.fileDropBytes, '100 MB'],
  [3 * 1024 ** 3, '3 GB'],
  [5 * 1024 ** 4, '5 TB'],
  [5_000 * 1024 ** 4, '5,000 TB'],
])('formats %i bytes as %s', (bytes, text) => {
  expect(formatFileSize(bytes)).toBe(text);
});
