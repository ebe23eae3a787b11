import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { pack } from '../pack.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path to the package's `.tgz`. */
    packageFile: string;
    /** Path to the folder with the package's files. */
    packageFolder: string;
  }
}

/** Packs the package once for all package tests. */
export default async function providePackage({ provide }: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'orchestrate-package-'));
  provide('packageFile', await pack(folder));
  provide('packageFolder', join(folder, 'package'));
  return () => rm(folder, { recursive: true, force: true });
}
