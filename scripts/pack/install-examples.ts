import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject } from 'vitest';
import { type SomeoneElsesFolder, someoneElsesFolder } from './someone-elses-folder.ts';

export const EXAMPLES = join(import.meta.dirname, '../../examples');

/** The examples in a folder outside the repository, installed from the packed file. */
export interface InstalledExamples {
  folder: SomeoneElsesFolder;
  /** Runs the one command of an example. @returns what it printed */
  run(example: string, env?: NodeJS.ProcessEnv): Promise<string>;
}

/**
 * Copies and installs the examples: one installation for all of them, as npm makes one for the workspaces of a
 * repository. Each says in its own package.json what it needs.
 */
export async function installExamples(): Promise<InstalledExamples> {
  const folder = await someoneElsesFolder();
  await cp(EXAMPLES, folder.path, { recursive: true, filter: (path) => !/node_modules|package-lock/.test(path) });
  const workspaces: string[] = [];
  for (const name of await readdir(folder.path)) {
    const description = await readFile(join(folder.path, name, 'package.json'), 'utf8').catch(() => undefined);
    if (description === undefined) continue;
    const packed = description.replace(
      /"file:\.\.\/\.\.\/dist\/orchestrate-[\d.]+\.tgz"/,
      JSON.stringify(`file:${inject('packageFile')}`),
    );
    expect(packed, name).not.toBe(description);
    await folder.write(join(name, 'package.json'), packed);
    workspaces.push(name);
  }
  await folder.write('package.json', JSON.stringify({ name: 'somebody', private: true, workspaces }));
  const installed = await folder.run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund']);
  expect(installed.code, installed.stderr).toBe(0);
  return {
    folder,
    async run(example, env) {
      const { code, stdout, stderr } = await folder.run('npm', ['test'], { within: example, ...(env && { env }) });
      expect(code, stdout + stderr).toBe(0);
      return stdout + stderr;
    },
  };
}
