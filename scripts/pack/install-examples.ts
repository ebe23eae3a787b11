import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject } from 'vitest';

const run = promisify(execFile);
const isWindows = process.platform === 'win32';

type Program = 'node' | 'npm' | 'npx' | 'bash';

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** A folder outside this repository that knows nothing of it, where a test does what somebody else would do. */
export interface SomeoneElsesFolder {
  path: string;
  write(file: string, text: string): Promise<void>;
  /**
   * Runs a program to its end, with this process's Node.js first in the path.
   * @param within a folder of this one
   */
  run(program: Program, args: string[], options?: { env?: NodeJS.ProcessEnv; within?: string }): Promise<Outcome>;
  remove(): Promise<void>;
}

export async function someoneElsesFolder(): Promise<SomeoneElsesFolder> {
  const path = await mkdtemp(join(tmpdir(), 'someone-else-'));
  // What this run has told its own programs, of the test runner for example, is not for others.
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:VITEST.*|TEST|NODE_ENV|NODE_OPTIONS|FORCE_COLOR)$/.test(name),
  );
  const base = {
    ...Object.fromEntries(kept),
    PATH: dirname(process.execPath) + delimiter + process.env.PATH,
    NO_COLOR: '1',
  };
  return {
    path,
    write: (file, text) => writeFile(join(path, file), text),
    run: async (program, args, { env, within = '.' } = {}) => {
      const command = isWindows && program.startsWith('np') ? `${program}.cmd` : program;
      const options = { cwd: join(path, within), env: { ...base, ...env }, shell: isWindows };
      try {
        return { code: 0, ...(await run(command, args, options)) };
      } catch (reason) {
        if (isEnded(reason)) return { code: reason.code, stdout: reason.stdout, stderr: reason.stderr };
        throw reason;
      }
    },
    remove: () => rm(path, { recursive: true, force: true }),
  };
}

const isEnded = (reason: unknown): reason is Outcome =>
  reason instanceof Error && 'code' in reason && typeof reason.code === 'number' && 'stdout' in reason;

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
