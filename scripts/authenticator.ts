import { runAuthenticator } from './authenticator/run-authenticator.ts';

process.exitCode = await runAuthenticator(process.argv.slice(2), process);
