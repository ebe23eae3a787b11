import { Readable } from 'node:stream';
import { type Permission, permissionLabel, type World, type WorldOrganisation } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import { Refusal } from '#platform/refusal.ts';
import { type Logo, readLogo } from '../logos/read-logo.ts';

/** Names of fields and places in lists, below the organisation of a file. */
export type Path = readonly (string | number)[];

/** What a file says of one organisation, in the format of a world. */
export interface ConfigurationFile {
  /** Whether it describes the organisation it is imported into. */
  isOwn: boolean;
  /** Only what it says: everything else stays as it is. */
  given: NonNullable<World['organisations']>[number];
  /** With the defaults of what is new. */
  full: WorldOrganisation;
}

export interface Import {
  deps: Deps;
  caller: Caller;
  actor: AuditActor;
  file: ConfigurationFile;
}

/** One thing that a file says. */
export interface Step {
  /** Where it says it. */
  path: Path;
  /** Maps a field named in a refusal to its place in the file, below the organisation; `path` by default. */
  placeOf?: (field: string) => Path;
  /**
   * Reads what takes time, and returns the write, which runs inside a transaction and keeps the rules of the screens.
   * @throws Refusal, as the write does
   */
  prepare: () => (() => void) | Promise<() => void>;
}

/** The place of a step whose fields have the same names as in the form. */
export const stepAt = (path: Path): Pick<Step, 'path' | 'placeOf'> => ({
  path,
  placeOf: (field) => [...path, ...field.split('.')],
});

/** What one feature imports: a step for each of its things in a file, in the order in which they are written. */
export type ConfigurationPart = (call: Import) => Step[];

/** A role or an application, as it is or as a file has it. */
interface Called {
  id: string;
  name?: string | undefined;
}

interface Named {
  id: string;
  name: string;
}

/**
 * Things are written one after another, so an earlier thing in the file may take the name that a later one gives up.
 * @param isSameName whether two of these things may not both have these names
 * @returns the ids of those that give up their names
 */
export function namesGivenUp(
  given: readonly Called[],
  present: readonly Named[],
  isSameName: (a: string, b: string) => boolean,
): string[] {
  return present.flatMap(({ id, name }) => {
    const own = given.findIndex((thing) => thing.id === id);
    const next = given[own]?.name;
    if (next === undefined || isSameName(next, name)) return [];
    const isTaken = given.slice(0, own).some((thing) => thing.name !== undefined && isSameName(thing.name, name));
    return isTaken ? [id] : [];
  });
}

/** @throws Refusal INVALID_PERMISSIONS */
export function requirePermission({ permissions }: Caller, permission: Permission): void {
  if (permissions.includes(permission)) return;
  throw new Refusal('INVALID_PERMISSIONS', {
    message: `You need the permission “${permissionLabel(permission)}” for this.`,
  });
}

/**
 * A picture of a file, as the upload of a logo would read it; null and undefined stay what they are.
 * @throws Refusal UPLOAD_BLOCKED_IN_DR; INVALID_REQUEST
 */
export async function readPicture(
  { config }: Deps,
  picture: { bytes: string } | null | undefined,
): Promise<Logo | null | undefined> {
  if (!picture) return picture;
  if (config.drMode) throw new Refusal('UPLOAD_BLOCKED_IN_DR');
  const bytes = Buffer.from(picture.bytes, 'base64');
  const file = { name: 'logo', bytes: bytes.length, isTooLarge: false, chunks: Readable.from([bytes]) };
  const read = (await readLogo(file)) ?? { refused: 'This file is empty' };
  if ('refused' in read) throw new Refusal('INVALID_REQUEST', { issues: [{ path: 'logo', message: read.refused }] });
  return read.logo;
}
