import { readFileSync } from 'node:fs';
import type { FullWorld } from '@orchestrate/shared';
import { readJson } from '@orchestrate/shared';
import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { type Config, ConfigInvalid } from '../../config.ts';
import type { WorldIssue } from './raw.ts';
import { countOf, readWorld, WorldMistakes } from './read-world.ts';

/** The world file that `SEED` names cannot be used. The message lists every mistake, each with its line. */
export class WorldFileInvalid extends ConfigInvalid {}

/**
 * Replaces the path of a world file by the world in it, which also is what a reset returns to.
 * @throws WorldFileInvalid
 */
export async function withWorldFile(config: Config): Promise<Config> {
  return config.seedFile === null ? config : { ...config, seed: await readWorldFile(config.seedFile) };
}

/** A world in YAML or JSON. @throws WorldFileInvalid */
export async function readWorldFile(path: string): Promise<FullWorld> {
  const text = readText(path);
  // Much faster than YAML, which is only needed for the lines of mistakes.
  const json = path.endsWith('.json') ? readJson(text) : undefined;
  const lines = new LineCounter();
  const parse = () => parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const yaml = json === undefined ? parse() : undefined;
  if (yaml && yaml.errors.length > 0) {
    throw invalid(
      path,
      yaml.errors.map(({ pos, message }) => ({ line: lines.linePos(pos[0]).line, said: message })),
    );
  }
  try {
    return await readWorld(json ?? yaml?.toJS() ?? {});
  } catch (reason) {
    if (!(reason instanceof WorldMistakes)) throw reason;
    const found = yaml ?? parse();
    throw invalid(
      path,
      reason.issues.map((issue) => ({
        line: lines.linePos(offsetOf(found, issue.path)).line,
        said: `${issue.path.join('.')}: ${issue.message}`,
      })),
    );
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (reason) {
    throw new WorldFileInvalid(
      `SEED names a world that cannot be read: ${reason instanceof Error ? reason.message : path}`,
    );
  }
}

function invalid(path: string, mistakes: { line: number; said: string }[]): WorldFileInvalid {
  const sorted = mistakes.toSorted((a, b) => a.line - b.line);
  const width = String(sorted.at(-1)?.line ?? 0).length;
  const told = sorted.map(({ line, said }) => `  line ${String(line).padStart(width)}  ${said}`);
  return new WorldFileInvalid([`${path} has ${countOf(mistakes)}; nothing was imported.`, ...told].join('\n'));
}

/** Where the thing at a path is written; for what is missing, where the thing is that lacks it. */
function offsetOf({ contents }: Document, path: WorldIssue['path']): number {
  let node: unknown = contents;
  let offset = startOf(contents);
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (!pair) return offset;
      offset = startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(part)];
      offset = startOf(node) ?? offset;
    } else return offset;
  }
  return offset;
}

const startOf = (node: unknown): number => (isNode(node) && node.range ? node.range[0] : 0);
