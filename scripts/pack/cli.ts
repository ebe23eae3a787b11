import { runAuthenticator } from '../authenticator/run-authenticator.ts';

const [command, ...options] = process.argv.slice(2);

// `start` reads its options from the command line itself.
if (command === 'start') await import('@orchestrate/server/main');
else if (command === 'setup') process.exitCode = await runAuthenticator(['setup', ...options], process);
else if (command === 'authenticator') process.exitCode = await runAuthenticator(options, process);
else if (command === '--version') console.log((await import('@orchestrate/server/version')).VERSION);
else {
  const isHelp = command === undefined || command === 'help' || command === '--help';
  console[isHelp ? 'log' : 'error'](
    [
      ...(isHelp ? [] : [`There is no command ${command}.`]),
      'Usage: orchestrate start [--json]',
      '       orchestrate setup --help',
      '       orchestrate authenticator --help',
      '       orchestrate --version',
    ].join('\n'),
  );
  process.exitCode = isHelp ? 0 : 2;
}
