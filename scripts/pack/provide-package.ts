import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { pack } from '../pack.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The package as others install it: the path of its `.tgz`. */
    packageFile: string;
    /** What is in it: the path of a folder. */
    packageFolder: string;
  }
}

/** Packs once for all tests of the package. */
export default async function providePackage({ provide }: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'orchestrate-package-'));
  provide('packageFile', await pack(folder));
  provide('packageFolder', join(folder, 'package'));
  return () => rm(folder, { recursive: true, force: true });
}
