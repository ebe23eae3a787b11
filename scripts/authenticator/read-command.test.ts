import { expect, test } from 'vitest';
import { readCommand, readTarget } from './read-command.ts';
import { USAGE } from './run-authenticator.ts';

test.each([
  [['dance'], 'Unknown command "dance".'],
  [['activate', '--org', 'acme'], 'activate requires --email and --code.'],
  [['setup'], 'setup requires --org, --code, --email, --first and --last.'],
  [
    ['setup', '--org', 'a b', '--code', 'X'],
    'setup requires --email, --first and --last. --org: Organisation codes can only',
  ],
  [['setup', '--as', 'user@acme.test'], 'setup does not support --as.'],
  [['list', '--auto', 'approve', '--reason', 'cancel'], 'list does not support --auto or --reason.'],
  [['activate', '--org', 'acme', '--email', 'nobody', '--code', '1'], '--email: Please enter a valid email address.'],
  [['watch', '--auto', 'perhaps'], '--auto: Invalid option'],
  [['watch', '--after', '1s'], '--after: requires --auto.'],
  [['watch', '--auto', 'deny', '--after', 'soon'], '--after: must be a time like 250ms, 2s or 1m.'],
  [['watch', '--auto', 'approve', '--reason', 'not-me'], '--reason: requires --auto deny.'],
  [['approve', 'A', 'B'], 'Unexpected argument "B".'],
  [['list', '--frobnicate'], /^Unknown option --frobnicate\.$/],
  [['list', '-x'], /^Unknown option -x\.$/],
  [['list', '--url', 'localhost:3000'], '--url must be an http or https address, not localhost:3000.'],
  [['approve', '--pending', '--number', '7'], '--number: must have two digits.'],
])('rejects %j as a usage error', (args, complaint) => {
  expect(() => readCommand(args)).toThrow(complaint);
});

test.each([[[]], [['--help']], [['help']], [['approve', '-h']]])('shows the usage page for %j', (args) => {
  expect(readCommand(args)).toBeNull();
});

test('trims options, validates them against the contract and fills in defaults', () => {
  const read = readCommand(['activate', '--org', 'ACME', '--email', ' A@Acme.test ', '--code', '482913', '--json']);

  expect(read?.command).toMatchObject({
    command: 'activate',
    org: 'acme',
    email: 'a@acme.test',
    code: '482913',
    type: 'mobile',
    name: expect.stringMatching(/./),
  });
  expect(read?.common).toEqual({ url: undefined, file: undefined, isJson: true });
});

test('parses every option on the usage page', () => {
  const person = ['--org', 'initech', '--email', 'bill@initech.test', '--first', 'Bill', '--last', 'Lumbergh'];
  const read = readCommand(['setup', '--code', 'ABCD', ...person, '--called', 'Initech', '--color', '#1E3A8A']);
  expect(read?.command).toMatchObject({ command: 'setup', called: 'Initech', color: '#1E3A8A' });
  for (const [option] of USAGE.matchAll(/--[a-z]+/g)) {
    expect(() => readCommand(['list', option, 'value', '--help'])).not.toThrow();
  }
});

test('treats a denial without a reason as a cancellation', () => {
  expect(readCommand(['deny', '--pending'])?.command).toMatchObject({ reason: 'cancel', pending: true });
  expect(readCommand(['deny', '--pending', '--reason', 'not-me'])?.command).toMatchObject({ reason: 'not-me' });
});

test('accepts a code or a URL on this portal as the target', () => {
  expect(readTarget('abcd-2345')).toEqual({ kind: 'typed', code: 'ABCD2345' });
  expect(() => readTarget('foo')).toThrow('"foo" is neither an eight-character code nor the address of a QR code.');
});
