import { buildClient } from './build-client.ts';

try {
  await buildClient();
} catch (reason) {
  console.error(reason instanceof Error ? reason.message : reason);
  process.exit(1);
}

// Runs the server in this process, because signals and `--json` must reach it directly.
await import('@orchestrate/server/main');
