import { buildClient, buildServer } from './build.ts';

try {
  await Promise.all([buildClient(), buildServer()]);
} catch (reason) {
  console.error(reason instanceof Error ? reason.message : reason);
  process.exit(1);
}

// Runs the server in this process, because signals and `--json` must reach it directly.
await import('@orchestrate/server/built');
