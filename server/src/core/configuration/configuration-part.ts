import { Readable } from 'node:stream';
import { type Permission, permissionLabel, type World, type WorldOrganisation } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import type { Caller } from '#platform/http/callers/caller.ts';
import { Refusal } from '#platform/refusal.ts';
import { type Logo, readLogo } from '../logos/read-logo.ts';

/** Path made of field names and list indexes, relative to the organisation in the file. */
export type Path = readonly (string | number)[];

/** One organisation's configuration in a file, in the world format. */
export interface ConfigurationFile {
  /** True if the file describes the organisation that imports it. */
  isOwn: boolean;
  /** Only the fields present in the file. All other fields stay unchanged. */
  given: NonNullable<World['organisations']>[number];
  /** The same fields, with defaults for new objects. */
  full: WorldOrganisation;
}

export interface Import {
  deps: Deps;
  caller: Caller;
  actor: AuditActor;
  file: ConfigurationFile;
}

/** Import of one object. */
export interface Step {
  /** The object's path in the file. */
  path: Path;
  /** Maps a field named in a refusal to the field's path in the file. Default: `path`. */
  placeOf?: (field: string) => Path;
  /**
   * Does the slow, asynchronous work and returns the write, which runs in a transaction and applies the same rules as
   * the UI.
   * @throws Refusal (the returned write can throw a Refusal, too)
   */
  prepare: () => (() => void) | Promise<() => void>;
}

/** Returns the paths for a step whose fields have the same names as in the form. */
export const stepAt = (path: Path): Pick<Step, 'path' | 'placeOf'> => ({
  path,
  placeOf: (field) => [...path, ...field.split('.')],
});

/** Returns a feature's steps, one per object, in write order. */
export type ConfigurationPart = (call: Import) => Step[];

/** A stored or imported role or application. */
interface Called {
  id: string;
  name?: string | undefined;
}

interface Named {
  id: string;
  name: string;
}

/**
 * Finds objects whose names are freed by the import. Objects are written one after another, so an earlier object may
 * take a name that a later object gives up.
 * @param isSameName returns true if two objects can't both have these names
 * @returns the IDs of the objects that give up their names
 */
export function idsReleasingNames(
  given: readonly Called[],
  present: readonly Named[],
  isSameName: (a: string, b: string) => boolean,
): string[] {
  return present.flatMap(({ id, name }) => {
    const own = given.findIndex((item) => item.id === id);
    const next = given[own]?.name;
    if (next === undefined || isSameName(next, name)) return [];
    const isTaken = given.slice(0, own).some((item) => item.name !== undefined && isSameName(item.name, name));
    return isTaken ? [id] : [];
  });
}

/**
 * Requires the importing member to have a permission.
 * @throws Refusal INVALID_PERMISSIONS
 */
export function requirePermission({ permissions }: Caller, permission: Permission): void {
  if (permissions.includes(permission)) return;
  throw new Refusal('INVALID_PERMISSIONS', {
    message: `You need the permission “${permissionLabel(permission)}” for this.`,
  });
}

/**
 * Reads an image from a configuration file, with the same checks as a logo upload. Returns null and undefined
 * unchanged.
 * @throws Refusal UPLOAD_BLOCKED_IN_DR; INVALID_REQUEST
 */
export async function readImage(
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
