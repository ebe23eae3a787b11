import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test.each([
  ['chaos.ts', '--kills', 'many'],
  ['chaos.ts', '--kills', '0'],
  ['fuzz.ts', '--requests', ''],
])('rejects %s %s %j instead of running without steps', { tags: 'whole' }, async (script, option, value) => {
  const run = promisify(execFile)(process.execPath, [join(import.meta.dirname, script), `${option}=${value}`]);
  const outcome = await run.catch((reason: unknown) => reason);
  expect(outcome).toMatchObject({ code: 1, stderr: `${option} must be a whole number above 0, not "${value}".\n` });
});
