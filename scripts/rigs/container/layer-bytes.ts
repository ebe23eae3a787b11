import { spawn } from 'node:child_process';
import { createGzip } from 'node:zlib';
import type { Image } from './build-image.ts';

/** Returns the size in bytes of the layers added to the base image, compressed like an engine does. */
export async function layerBytes({ folder, copied }: Image): Promise<number> {
  const top = [...new Set(copied.map((path) => `./${path.split('/')[1]}`))];
  const tar = spawn('tar', ['-cf', '-', ...top], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  let bytes = 0;
  for await (const chunk of tar.stdout.pipe(createGzip())) bytes += Buffer.from(chunk).length;
  return bytes;
}
