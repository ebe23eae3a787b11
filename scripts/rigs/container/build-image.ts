import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, lchownSync, readFileSync } from 'node:fs';
import { cp, lstat, mkdir, readdir, stat } from 'node:fs/promises';
import { basename, delimiter, dirname, join, relative, sep } from 'node:path';
import { text } from 'node:stream/consumers';
import dockerignore, { type Ignore } from '@balena/dockerignore';
import { type Copy, DockerfileParser, type Env, type From, type Instruction } from 'dockerfile-ast';

/** A built stage: a folder that stands for `/` of the image, and what its instructions say. */
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
  /** What has been copied into it, as paths of the image: its layers. */
  copied: string[];
}

export interface BuildOptions {
  /** The repository: the context of the build. */
  context: string;
  /** Receives a folder per stage. */
  folder: string;
  /** Stages that are built already, each a folder that stands for its `/`. */
  given?: Readonly<Record<string, string>>;
  /** Of the account that runs the steps; by default this one's. */
  account?: { uid: number; gid: number; home: string };
}

/**
 * Runs the steps of the Dockerfile one by one, without an engine: images are folders, and programs are those of this
 * machine. So a step must name its files relative to `WORKDIR`, and nothing shows what a base image has or lacks.
 * @returns the last stage
 */
export async function buildImage({ context, folder, given = {}, account }: BuildOptions): Promise<Image> {
  const stages = new Map<string, Image>();
  const ignored = ignoredIn(context);
  let image: Image | undefined;
  for (const instruction of instructionsOf(context)) {
    if (isFrom(instruction)) {
      const name = instruction.getBuildStage() ?? 'last';
      const base = stages.get(instruction.getImage() ?? '');
      const done = given[name];
      image = await stageFrom(base, done ?? join(folder, name));
      if (account) await own(image.folder, account);
      stages.set(name, image);
      if (done !== undefined) image = undefined;
    } else if (image)
      await STEPS[instruction.getKeyword()]?.(instruction, image, { context, stages, ignored, account });
  }
  if (!image) throw new Error('The Dockerfile has no stage.');
  return image;
}

const instructionsOf = (context: string): Instruction[] =>
  DockerfileParser.parse(readFileSync(join(context, 'Dockerfile'), 'utf8')).getInstructions();

/** What stays out of the context of a build. */
export const ignoredIn = (context: string): Ignore =>
  dockerignore.default().add(readFileSync(join(context, '.dockerignore'), 'utf8'));

/** Where a path of an image is on this machine. */
export const placeIn = ({ folder, workdir }: Image, path: string): string =>
  path.startsWith('/') ? join(folder, path) : join(folder, workdir, path);

interface Surroundings {
  context: string;
  stages: ReadonlyMap<string, Image>;
  ignored: Ignore;
  account: BuildOptions['account'];
}

type Step = (instruction: Instruction, image: Image, surroundings: Surroundings) => Promise<void> | void;

const STEPS: Readonly<Record<string, Step>> = {
  async WORKDIR(instruction, image, { account }) {
    image.workdir = argumentsOf(instruction).join(' ');
    await mkdir(placeIn(image, '.'), { recursive: true });
    if (account) await own(placeIn(image, '.'), account);
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

/** Of another stage, or of the context without what `.dockerignore` names. */
async function copy(instruction: Instruction, image: Image, { context, stages, ignored, account }: Surroundings) {
  const flags = new Map((instruction as Copy).getFlags().map((flag) => [flag.getName(), flag.getValue() ?? '']));
  const [from, paths] = [flags.get('from'), argumentsOf(instruction)];
  const target = paths.pop() ?? '.';
  const source = from === undefined ? undefined : stages.get(from);
  if (from !== undefined && !source) throw new Error(`There is no stage ${from}.`);
  for (const path of paths) {
    const origin = source ? placeIn(source, path) : join(context, path);
    const isFolder = (await stat(origin)).isDirectory();
    const place = placeIn(image, isFolder || !target.endsWith('/') ? target : join(target, basename(path)));
    await cp(origin, place, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => source !== undefined || !isIgnored(ignored, relative(context, file)),
    });
    image.copied.push(`/${relative(image.folder, place).split(sep).join('/')}`);
    const owner = flags.get('chown')?.split(':').map(Number);
    if (owner && process.getuid?.() === 0) chownSync(place, owner[0] ?? 0, owner[1] ?? 0);
    else if (account) await own(place, account);
  }
}

const isIgnored = (ignored: Ignore, path: string): boolean => path !== '' && ignored.ignores(path.split(sep).join('/'));

async function own(place: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  lchownSync(place, uid, gid);
  if (!(await lstat(place)).isDirectory()) return;
  for (const name of await readdir(place)) await own(join(place, name), { uid, gid });
}

/** In the stage's folder, with this process's Node.js first in the path. */
async function run(instruction: Instruction, image: Image, { account }: Surroundings): Promise<void> {
  const command = instruction.getRawArgumentsContent() ?? '';
  const cwd = placeIn(image, '.');
  const path = dirname(process.execPath) + delimiter + process.env.PATH;
  const child = spawn('sh', ['-ec', command], {
    cwd,
    env: { ...networkOf(process.env), HOME: account?.home ?? process.env.HOME, ...image.env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(account && { uid: account.uid, gid: account.gid }),
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  if (code !== 0) throw new Error(`RUN ${command}\nended with ${code}:\n${out}${err}`);
}

/** How this machine reaches a registry: an engine has settings of its own. */
const networkOf = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) =>
      /^(?:npm_config_(?:registry|.*proxy|ca|cafile|strict_ssl)|.*_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_.*)$/i.test(name),
    ),
  );

const isFrom = (instruction: Instruction): instruction is From => instruction.getKeyword() === 'FROM';

const argumentsOf = (instruction: Instruction): string[] =>
  instruction.getArguments().map((argument) => argument.getValue());

/** Of the form `["node", "main.js"]`, also behind `CMD` of a health check. */
function stringsOf(instruction: Instruction): string[] {
  const raw = instruction.getRawArgumentsContent() ?? '';
  return JSON.parse(raw.slice(raw.indexOf('[')));
}
