import { buildClient } from './build-client.ts';

try {
  await buildClient();
} catch (reason) {
  console.error(reason instanceof Error ? reason.message : reason);
  process.exit(1);
}

// In this very process: a signal or `--json` then reaches the server without a go-between.
await import('@orchestrate/server/main');
