import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildImage } from './container/build-image.ts';
import { freePort, layerBytes, runImage } from './container/run-image.ts';

/** Uid of an unprivileged account, used if this process runs as root. */
const UNPRIVILEGED_UID = 65_534;

/** Runs every Dockerfile step in an empty folder as an unprivileged account, and starts the result. */
const folder = mkdtempSync(join(tmpdir(), 'container-'));
const home = join(folder, 'home');
mkdirSync(home);
// The image's user must be able to read the files.
chmodSync(folder, 0o755);
const isRoot = process.getuid?.() === 0;
if (isRoot) for (const path of [folder, home]) chownSync(path, UNPRIVILEGED_UID, UNPRIVILEGED_UID);
try {
  const image = await buildImage({
    context: join(import.meta.dirname, '../..'),
    folder: join(folder, 'stages'),
    ...(isRoot && { account: { uid: UNPRIVILEGED_UID, gid: UNPRIVILEGED_UID, home } }),
  });
  console.log(`The image adds ${Math.round((await layerBytes(image)) / 2 ** 20)} MB to the base image.`);
  const port = String(await freePort());
  const container = runImage(image, { PORT: port, LAB_TOKEN: 'auto', PUBLIC_URL: `http://localhost:${port}` });
  console.log(`Healthy after ${Math.round((await container.healthy()).elapsed)} ms as ${image.user}.`);
  await container.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
