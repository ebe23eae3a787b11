import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, lchownSync, readFileSync } from 'node:fs';
import { cp, lstat, mkdir, readdir, stat } from 'node:fs/promises';
import { basename, delimiter, dirname, join, relative, sep } from 'node:path';
import { text } from 'node:stream/consumers';
import dockerignore, { type Ignore } from '@balena/dockerignore';
import { type Copy, DockerfileParser, type Env, type From, type Instruction } from 'dockerfile-ast';

/** A built stage: a folder that represents the image's `/`, and the image metadata. */
export interface Image {
  folder: string;
  workdir: string;
  env: Record<string, string>;
  user: string;
  entrypoint: string[];
  cmd: string[];
  healthcheck: string[];
  volumes: string[];
  ports: string[];
  /** Image paths of the copied files, which make up the image's layers. */
  copied: string[];
}

export interface BuildOptions {
  /** Build context: the path to the repository. */
  context: string;
  /** Folder for the built stages. */
  folder: string;
  /** Prebuilt stages by name, each a folder that represents the stage's `/`. */
  given?: Readonly<Record<string, string>>;
  /** Account that runs the steps. Default: the current account. */
  account?: { uid: number; gid: number; home: string };
}

/**
 * Runs the Dockerfile steps without a container engine: images are folders, and programs are this machine's. Steps
 * must therefore use paths relative to `WORKDIR`, and programs missing from a base image go undetected.
 * @returns the last stage
 */
export async function buildImage({ context, folder, given = {}, account }: BuildOptions): Promise<Image> {
  const stages = new Map<string, Image>();
  const ignored = readDockerignore(context);
  let image: Image | undefined;
  let isGiven = false;
  for (const instruction of instructionsOf(context)) {
    if (isFrom(instruction)) {
      const name = instruction.getBuildStage() ?? 'last';
      const base = stages.get(instruction.getImage() ?? '');
      const done = given[name];
      image = await stageFrom(base, done ?? join(folder, name));
      if (account) await own(image.folder, account);
      stages.set(name, image);
      isGiven = done !== undefined;
    } else if (image && !(isGiven && WRITES.has(instruction.getKeyword())))
      await STEPS[instruction.getKeyword()]?.(instruction, image, { context, stages, ignored, account });
  }
  if (!image) throw new Error('The Dockerfile has no stages.');
  return image;
}

const instructionsOf = (context: string): Instruction[] =>
  DockerfileParser.parse(readFileSync(join(context, 'Dockerfile'), 'utf8')).getInstructions();

/** Returns a build context's `.dockerignore` rules. */
export const readDockerignore = (context: string): Ignore =>
  dockerignore.default().add(readFileSync(join(context, '.dockerignore'), 'utf8'));

/** Returns the path on this machine for a path in the image. */
export const hostPath = ({ folder, workdir }: Image, path: string): string =>
  path.startsWith('/') ? join(folder, path) : join(folder, workdir, path);

interface Surroundings {
  context: string;
  stages: ReadonlyMap<string, Image>;
  ignored: Ignore;
  account: BuildOptions['account'];
}

type Step = (instruction: Instruction, image: Image, surroundings: Surroundings) => Promise<void> | void;

/** Steps that write the files of a stage. A prebuilt stage has them already. */
const WRITES: ReadonlySet<string> = new Set(['COPY', 'RUN']);

const STEPS: Readonly<Record<string, Step>> = {
  async WORKDIR(instruction, image, { account }) {
    image.workdir = argumentsOf(instruction).join(' ');
    await mkdir(hostPath(image, '.'), { recursive: true });
    if (account) await own(hostPath(image, '.'), account);
  },
  ENV(instruction, image) {
    for (const property of (instruction as Env).getProperties()) {
      image.env[property.getName()] = property.getValue() ?? '';
    }
  },
  COPY: copy,
  RUN: run,
  USER(instruction, image) {
    image.user = argumentsOf(instruction).join(' ');
  },
  VOLUME(instruction, image) {
    image.volumes.push(...argumentsOf(instruction));
  },
  EXPOSE(instruction, image) {
    image.ports.push(...argumentsOf(instruction));
  },
  ENTRYPOINT(instruction, image) {
    image.entrypoint = stringsOf(instruction);
  },
  CMD(instruction, image) {
    image.cmd = stringsOf(instruction);
  },
  HEALTHCHECK(instruction, image) {
    image.healthcheck = stringsOf(instruction);
  },
};

async function stageFrom(base: Image | undefined, folder: string): Promise<Image> {
  await mkdir(folder, { recursive: true });
  if (base) await cp(base.folder, folder, { recursive: true, verbatimSymlinks: true });
  const fresh = { workdir: '/', env: {}, user: 'root', entrypoint: [], cmd: [], healthcheck: [] };
  const { workdir, env, user, entrypoint, cmd, healthcheck } = base ?? fresh;
  return { folder, workdir, env: { ...env }, user, entrypoint, cmd, healthcheck, volumes: [], ports: [], copied: [] };
}

/** Runs a COPY instruction, either from another stage or from the context without ignored files. */
async function copy(instruction: Instruction, image: Image, { context, stages, ignored, account }: Surroundings) {
  const flags = new Map((instruction as Copy).getFlags().map((flag) => [flag.getName(), flag.getValue() ?? '']));
  const [from, paths] = [flags.get('from'), argumentsOf(instruction)];
  const target = paths.pop() ?? '.';
  const source = from === undefined ? undefined : stages.get(from);
  if (from !== undefined && !source) throw new Error(`There is no stage ${from}.`);
  for (const path of paths) {
    const origin = source ? hostPath(source, path) : join(context, path);
    const isFolder = (await stat(origin)).isDirectory();
    const destination = hostPath(image, isFolder || !target.endsWith('/') ? target : join(target, basename(path)));
    await cp(origin, destination, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => source !== undefined || !isIgnored(ignored, relative(context, file)),
    });
    image.copied.push(`/${relative(image.folder, destination).split(sep).join('/')}`);
    const owner = flags.get('chown')?.split(':').map(Number);
    if (owner && process.getuid?.() === 0) chownSync(destination, owner[0] ?? 0, owner[1] ?? 0);
    else if (account) await own(destination, account);
  }
}

const isIgnored = (ignored: Ignore, path: string): boolean => path !== '' && ignored.ignores(path.split(sep).join('/'));

async function own(path: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  lchownSync(path, uid, gid);
  if (!(await lstat(path)).isDirectory()) return;
  for (const name of await readdir(path)) await own(join(path, name), { uid, gid });
}

/** Runs a RUN instruction in the stage's folder, with this process's Node.js first in PATH. */
async function run(instruction: Instruction, image: Image, { account }: Surroundings): Promise<void> {
  const command = instruction.getRawArgumentsContent() ?? '';
  const cwd = hostPath(image, '.');
  const path = dirname(process.execPath) + delimiter + process.env.PATH;
  const child = spawn('sh', ['-ec', command], {
    cwd,
    env: { ...networkOf(process.env), HOME: account?.home ?? process.env.HOME, ...image.env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(account && { uid: account.uid, gid: account.gid }),
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  if (code !== 0) throw new Error(`RUN ${command}\nexited with ${code}:\n${out}${err}`);
}

/** Returns the environment variables needed to reach a registry. A container engine sets these itself. */
const networkOf = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) =>
      /^(?:npm_config_(?:registry|.*proxy|ca|cafile|strict_ssl)|.*_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_.*)$/i.test(name),
    ),
  );

const isFrom = (instruction: Instruction): instruction is From => instruction.getKeyword() === 'FROM';

const argumentsOf = (instruction: Instruction): string[] =>
  instruction.getArguments().map((argument) => argument.getValue());

/** Parses the exec form `["node", "main.js"]`, including after a health check's `CMD`. */
function stringsOf(instruction: Instruction): string[] {
  const raw = instruction.getRawArgumentsContent() ?? '';
  return JSON.parse(raw.slice(raw.indexOf('[')));
}
