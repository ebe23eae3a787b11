import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

const port = Number(process.env.PORT || 3000);
const serverPort = port + 1;
// Browsers use PUBLIC_URL. Vite serves it with hot reload and proxies everything else to the server.
const pageUrl = `http://localhost:${port}`;
const serverUrl = `http://localhost:${serverPort}`;

console.log(`Page    ${pageUrl}   (hot reload)`);
console.log(`Server  ${serverUrl}   (restarts when its files change)\n`);

const children: ChildProcess[] = [
  spawn(process.execPath, ['--watch', '--watch-preserve-output', join(ROOT, 'server/src/main.ts')], {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      NODE_ENV: 'development',
      ...process.env,
      PORT: String(serverPort),
      PUBLIC_URL: process.env.PUBLIC_URL || pageUrl,
    },
  }),
  spawn(
    process.execPath,
    [join(ROOT, 'web/node_modules/vite/bin/vite.js'), '--port', String(port), '--clearScreen', 'false'],
    {
      cwd: join(ROOT, 'web'),
      stdio: 'inherit',
      env: { ...process.env, DEV_SERVER_URL: serverUrl },
    },
  ),
];

let isStopping = false;

/** Stops both processes and exits with 0 if the user stopped them, or 1 if either process failed. */
async function stop(exitCode: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  const running = children.filter((child) => child.exitCode === null && child.signalCode === null);
  const ended = running.map((child) => once(child, 'exit'));
  for (const child of running) child.kill('SIGTERM');
  await Promise.all(ended);
  process.exit(exitCode);
}

process.once('SIGINT', () => stop(0));
process.once('SIGTERM', () => stop(0));
for (const child of children) child.once('exit', () => stop(1));
