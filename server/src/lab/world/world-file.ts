import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FullWorld } from '@orchestrate/shared';
import type { WorldMistake } from '@orchestrate/shared/world-text';
import { type Config, ConfigInvalid } from '#config.ts';
import { readUtf8 } from '#platform/decode.ts';
import { formatErrorCount, readWorld, WorldInvalid } from './read-world.ts';

/** Thrown if the world file in `SEED` cannot be used. The message lists every error with its line. */
export class WorldFileInvalid extends ConfigInvalid {}

/**
 * Replaces the world file path in the configuration with the parsed world, which resets return to as well.
 * @throws WorldFileInvalid
 */
export async function withWorldFile(config: Config): Promise<Config> {
  return config.seedFile === null ? config : { ...config, seed: await readWorldFile(config.seedFile, config) };
}

/**
 * Reads a world from YAML or JSON.
 * @param config configuration of the portal that will use the world
 * @throws WorldFileInvalid
 */
export async function readWorldFile(path: string, config: Config): Promise<FullWorld> {
  const text = readText(path);
  const { readWorldText } = await import('@orchestrate/shared/world-text');
  const { world, mistakes: errors, locate } = readWorldText(text);
  if (errors.length > 0) throw invalid(path, errors);
  try {
    return await readWorld(world, config);
  } catch (reason) {
    if (!(reason instanceof WorldInvalid)) throw reason;
    throw invalid(path, locate(reason.issues));
  }
}

/** Explanations for file error codes that users may not recognise. */
const READING: Readonly<Record<string, string>> = {
  ENOENT: "the file doesn't exist",
  EISDIR: 'it is a directory',
  EACCES: 'this account cannot read it',
};

function readText(path: string): string {
  const file = resolve(path);
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (reason) {
    const code = reason instanceof Error && 'code' in reason ? String(reason.code) : '';
    throw new WorldFileInvalid(`The file in SEED, ${file}, cannot be read: ${READING[code] ?? code}.`);
  }
  const text = readUtf8(bytes);
  if (text === undefined) throw new WorldFileInvalid(`The file in SEED, ${file}, is not UTF-8.`);
  return text;
}

function invalid(path: string, errors: readonly WorldMistake[]): WorldFileInvalid {
  const width = String(errors.at(-1)?.line ?? 0).length;
  const lines = errors.map(({ line, path: at, message }) => {
    const text = at ? `${at}: ${message}` : message;
    return `  line ${String(line).padStart(width)}  ${text}`;
  });
  return new WorldFileInvalid([`${path} has ${formatErrorCount(errors)}. Nothing was imported.`, ...lines].join('\n'));
}
