const [command, ...options] = process.argv.slice(2);

// Loads only what its command needs.
if (command === 'start') {
  // It reads its options from the command line itself, where nothing stands before them.
  process.argv.splice(2, 1);
  await import('@orchestrate/server/main');
} else if (command === 'setup') process.exitCode = await authenticator(['setup', ...options]);
else if (command === 'authenticator') process.exitCode = await authenticator(options);
else if (command === '--version' || command === '-v')
  console.log((await import('@orchestrate/server/version')).VERSION);
else {
  const isHelp = command === undefined || command === 'help' || command === '--help' || command === '-h';
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

async function authenticator(given: string[]): Promise<number> {
  const { runAuthenticator } = await import('../authenticator/run-authenticator.ts');
  return runAuthenticator(given, process);
}
