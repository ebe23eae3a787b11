import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test.each([
  ['chaos.ts', '--kills', 'many'],
  ['chaos.ts', '--kills', '0'],
  ['fuzz.ts', '--requests', ''],
])(
  '%s %s %j is refused, since a run without a step finds nothing',
  { tags: 'whole' },
  async (script, option, value) => {
    const run = promisify(execFile)(process.execPath, [join(import.meta.dirname, script), `${option}=${value}`]);
    const outcome = await run.catch((reason: unknown) => reason);
    expect(outcome).toMatchObject({ code: 1, stderr: `${option} takes a whole number above 0, not "${value}".\n` });
  },
);
