import { expect, test } from 'vitest';
import { readCommand, readTarget } from './read-command.ts';
import { USAGE } from './run-authenticator.ts';

test.each([
  [['dance'], 'There is no command "dance".'],
  [['activate', '--org', 'acme'], 'activate needs --email and --code.'],
  [['setup'], 'setup needs --org, --code, --email, --first and --last.'],
  [
    ['setup', '--org', 'a b', '--code', 'X'],
    'setup needs --email, --first and --last. --org: Organisation codes can only',
  ],
  [['setup', '--as', 'user@acme.test'], 'setup takes no --as.'],
  [['list', '--auto', 'approve', '--reason', 'cancel'], 'list takes no --auto and no --reason.'],
  [['activate', '--org', 'acme', '--email', 'nobody', '--code', '1'], '--email: Please enter a valid email address.'],
  [['watch', '--auto', 'perhaps'], '--auto: Invalid option'],
  [['watch', '--after', '1s'], '--after: goes with --auto.'],
  [['watch', '--auto', 'deny', '--after', 'soon'], '--after: is a time like 250ms, 2s or 1m.'],
  [['watch', '--auto', 'approve', '--reason', 'not-me'], '--reason: goes with --auto deny.'],
  [['approve', 'A', 'B'], '"B" is one argument too many.'],
  [['list', '--frobnicate'], /^There is no option --frobnicate\.$/],
  [['list', '-x'], /^There is no option -x\.$/],
  [['list', '--url', 'localhost:3000'], '--url localhost:3000 is not an http or https address.'],
  [['approve', '--pending', '--number', '7'], '--number: has two digits.'],
])('%j is wrong use', (args, complaint) => {
  expect(() => readCommand(args)).toThrow(complaint);
});

test.each([[[]], [['--help']], [['help']], [['approve', '-h']]])('%j asks for the usage page', (args) => {
  expect(readCommand(args)).toBeNull();
});

test('options are trimmed and checked by the contract, and what is left out has its default', () => {
  const read = readCommand(['activate', '--org', 'ACME', '--email', ' A@Acme.test ', '--code', '482913', '--json']);

  expect(read?.command).toMatchObject({
    command: 'activate',
    org: 'acme',
    email: 'a@acme.test',
    code: '482913',
    type: 'mobile',
    name: expect.stringMatching(/./),
  });
  expect(read?.surroundings).toEqual({ url: undefined, file: undefined, isJson: true });
});

test('every option that the usage page names is read', () => {
  const person = ['--org', 'initech', '--email', 'bill@initech.test', '--first', 'Bill', '--last', 'Lumbergh'];
  const read = readCommand(['setup', '--code', 'ABCD', ...person, '--called', 'Initech', '--color', '#1E3A8A']);
  expect(read?.command).toMatchObject({ command: 'setup', called: 'Initech', color: '#1E3A8A' });
  for (const [option] of USAGE.matchAll(/--[a-z]+/g)) {
    expect(() => readCommand(['list', option, 'value', '--help'])).not.toThrow();
  }
});

test('a denial counts as a cancellation unless it gives a reason', () => {
  expect(readCommand(['deny', '--pending'])?.command).toMatchObject({ reason: 'cancel', pending: true });
  expect(readCommand(['deny', '--pending', '--reason', 'not-me'])?.command).toMatchObject({ reason: 'not-me' });
});

test('a target is a code or an address of ours', () => {
  expect(readTarget('abcd-2345')).toEqual({ kind: 'typed', code: 'ABCD2345' });
  expect(() => readTarget('foo')).toThrow('"foo" is neither an eight-character code nor the address of a QR code.');
});
