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

/** A folder outside this repository where a test acts as a user of the package. */
export interface UserFolder {
  path: string;
  write(file: string, text: string): Promise<void>;
  /**
   * Runs a program with this process's Node.js first in PATH. Resolves when the program exits.
   * @param within subfolder to run the program in
   */
  run(program: Program, args: string[], options?: { env?: NodeJS.ProcessEnv; within?: string }): Promise<Outcome>;
  remove(): Promise<void>;
}

export async function createUserFolder(): Promise<UserFolder> {
  const path = await mkdtemp(join(tmpdir(), 'someone-else-'));
  // Don't pass variables of this test run, such as the test runner's, to the user's programs.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:VITEST.*|TEST|NODE_ENV|NODE_OPTIONS|FORCE_COLOR)$/.test(name),
  );
  const base = {
    ...Object.fromEntries(inherited),
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

/** Copies of the examples outside the repository, with the packed package installed. */
export interface InstalledExamples {
  folder: UserFolder;
  /** Runs an example's `npm test`. @returns its output */
  run(example: string, env?: NodeJS.ProcessEnv): Promise<string>;
}

/**
 * Copies the examples and installs them as npm workspaces with a single installation. Each example lists its
 * dependencies in its own package.json.
 */
export async function installExamples(): Promise<InstalledExamples> {
  const folder = await createUserFolder();
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
  await folder.write('package.json', JSON.stringify({ name: 'examples', private: true, workspaces }));
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
