import { runAuthenticator } from './authenticator/run-authenticator.ts';

const [command, ...options] = process.argv.slice(2);

if (command === 'start') {
  // The server reads its options from the command line itself, where nothing stands before them.
  process.argv.splice(2, 1);
  await import('./start.ts');
} else if (command === 'setup') process.exitCode = await runAuthenticator(['setup', ...options], process);
else {
  console.error('Usage: orchestrate start | orchestrate setup --help');
  process.exitCode = 2;
}
