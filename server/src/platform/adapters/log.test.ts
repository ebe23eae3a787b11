import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const MODULE = pathToFileURL(`${import.meta.dirname}/log.ts`).href;

/** Runs code that uses `log` in its own process. Returns the messages that it logged. */
function messagesOf(code: string): string[] {
  const program = `
    const { createLog } = await import(${JSON.stringify(MODULE)});
    const log = await createLog({ logLevel: 'info' });
    ${code}`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  const lines = stderr.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line).msg);
}

test.each([
  ['the end of the program', ''],
  ['process.exit', 'process.exit(1);'],
  ['an exception', "throw new Error('unexpected');"],
])('writes all entries before %s', (_name, end) => {
  expect(messagesOf(`log.info('first'); log.info('second'); ${end}`)).toEqual(['first', 'second']);
});

test('writes an error immediately, with the entries before it', () => {
  const code = `log.info('first'); log.error('second'); log.info('third'); process.kill(process.pid, 'SIGKILL');`;
  expect(messagesOf(code)).toEqual(['first', 'second']);
});

test('writes an entry after a moment even if nothing follows', () => {
  const code = `log.info('first'); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1_000);`;
  expect(messagesOf(code)).toEqual(['first']);
});
