import { format } from 'node:util';
import { afterEach, beforeEach } from 'vitest';

const complaints: string[] = [];

beforeEach(() => {
  complaints.length = 0;
  console.error = (...values: unknown[]) => {
    complaints.push(format(...values));
  };
});

// Thrown after the test instead of in the call, so that code under test can't catch it.
afterEach(() => {
  if (complaints.length > 0) throw new Error(`console.error was called:\n${complaints.splice(0).join('\n')}`);
});
