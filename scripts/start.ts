import { buildClient } from './build-client.ts';

try {
  await buildClient();
} catch (reason) {
  console.error(reason instanceof Error ? reason.message : reason);
  process.exit(1);
}

// Runs in this process, so that signals and `--json` reach the server directly.
await import('@orchestrate/server/main');
