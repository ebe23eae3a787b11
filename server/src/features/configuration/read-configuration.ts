import {
  type ConfigurationDifference,
  type FullWorld,
  nameKey,
  readJson,
  type World,
  world,
} from '@orchestrate/shared';
import { mailTextObject } from '#core/audit/audit-objects.ts';
import type { ConfigurationFile, Path } from '#core/configuration/configuration-part.ts';
import { readShape, type ShapeIssue } from '#platform/http/requests/read-shape.ts';
import { skippedOrgFields, skippedWorldFields } from './left-out.ts';

type LocatedIssue = ConfigurationDifference['mistakes'][number];

/** Result of reading an uploaded configuration, which may be incomplete or invalid. */
export interface ReadConfiguration {
  /** Absent if the file has mistakes. */
  file?: ConfigurationFile;
  /** Organisation that the file was exported from, or '' if unreadable. */
  from: string;
  mistakes: LocatedIssue[];
  leftOut: LocatedIssue[];
  /**
   * Adds each issue's position in the file and sorts by line.
   * @param issues with paths relative to the organisation
   */
  locate(issues: readonly ShapeIssue[]): LocatedIssue[];
}

/**
 * Reads a configuration from YAML, JSON or an object.
 * @param orgCode the target organisation
 */
export async function readConfiguration(orgCode: string, given: string | World): Promise<ReadConfiguration> {
  const { raw, unreadable, tell: addLines } = await read(given);
  const locate = (issues: readonly ShapeIssue[]) => addLines(bounded(within(issues)));
  if (unreadable.length > 0) return { from: '', mistakes: unreadable, leftOut: [], locate };
  const shape = readShape(world, raw);
  if ('issues' in shape) return { from: '', mistakes: addLines(bounded(shape.issues)), leftOut: [], locate };
  const { data } = shape;
  const [full, ...others] = data.organisations;
  if (!full || others.length > 0) {
    const message = full
      ? `A configuration describes one organisation, but this file has ${data.organisations.length}`
      : 'This file contains no organisation';
    return { from: '', mistakes: addLines([{ path: ['organisations'], message }]), leftOut: [], locate };
  }
  const { organisations: [written] = [] } = withoutDefaults(data, raw);
  const file = { isOwn: full.code === orgCode, given: written ?? { code: full.code }, full };
  const mistakes = locate(repeats(file.given));
  return {
    ...(mistakes.length === 0 && { file }),
    from: full.code,
    mistakes,
    leftOut: addLines(bounded([...skippedWorldFields(data, raw), ...within(skippedOrgFields(file, orgCode))])),
    locate,
  };
}

/**
 * Maximum number of characters parsed as YAML without delaying other requests. YAML is a hundred times slower than
 * JSON.
 */
export const YAML_MAX = 524_288;
/**
 * Maximum number of applications in a file. An import writes all of them in one transaction, which delays other
 * requests.
 */
const APPLICATIONS_MAX = 1_000;

async function read(given: string | World) {
  if (typeof given !== 'string') return { raw: given, unreadable: [], tell: withoutLines };
  if (given.length > YAML_MAX) {
    // A JSON document must not start with a byte order mark, so remove it.
    const raw = readJson(given.replace(/^\uFEFF/, ''));
    const message = 'Files over 512 KB must be valid JSON';
    return { raw, unreadable: raw === undefined ? withoutLines([{ path: [], message }]) : [], tell: withoutLines };
  }
  const { readWorldText } = await import('@orchestrate/shared/world-text');
  const { world: raw, mistakes: errors, locate } = readWorldText(given, { isSecret: true });
  return { raw: withoutEmpty(raw), unreadable: bounded(errors), tell: locate };
}

/** Removes empty sections, such as `roles:` with all its lines commented out. */
function withoutEmpty(raw: unknown): unknown {
  const { organisations, ...rest } = Object(raw);
  if (!Array.isArray(organisations)) return raw;
  const filled = organisations.map((organisation: unknown) =>
    typeof organisation === 'object' && organisation !== null && !Array.isArray(organisation)
      ? Object.fromEntries(Object.entries(organisation).filter(([, section]) => section !== null))
      : organisation,
  );
  return { ...rest, organisations: filled };
}

/** Maximum number of mistakes listed. Listing more helps no one, and locating each mistake takes time. */
const MISTAKES_MAX = 200;

function bounded<Located extends { path: unknown; message: string }>(issues: readonly Located[]): Located[] {
  const first = issues.slice(0, MISTAKES_MAX);
  const last = first.at(-1);
  return last && issues.length > MISTAKES_MAX
    ? [...first, { ...last, message: `… and ${(issues.length - MISTAKES_MAX).toLocaleString('en')} more like these` }]
    : first;
}

const within = (issues: readonly ShapeIssue[]): ShapeIssue[] =>
  issues.map(({ path, message }) => ({ path: ['organisations', 0, ...path], message }));

const withoutLines = (issues: readonly ShapeIssue[]): LocatedIssue[] =>
  issues.map(({ path, message }) => ({ line: null, path: path.join('.'), message }));

/** Removes the default values that validation added for fields missing from the file. */
function withoutDefaults(full: FullWorld, raw: unknown): World;
function withoutDefaults(full: unknown, raw: unknown): unknown;
function withoutDefaults(full: unknown, raw: unknown): unknown {
  if (Array.isArray(full))
    return full.map((item, at) => withoutDefaults(item, Array.isArray(raw) ? raw[at] : undefined));
  if (typeof full !== 'object' || full === null || typeof raw !== 'object' || raw === null) return full;
  const present = new Map<string, unknown>(Object.entries(raw));
  return Object.fromEntries(
    Object.entries(full)
      .filter(([name]) => present.has(name))
      .map(([name, value]) => [name, withoutDefaults(value, present.get(name))]),
  );
}

/** Returns issues for duplicates and lists that are too long. */
function repeats({
  roles = [],
  mails = [],
  applications = [],
  apiResources = [],
  faq = [],
}: ConfigurationFile['given']): ShapeIssue[] {
  const tooMany = `A file can contain at most ${APPLICATIONS_MAX.toLocaleString('en')} applications`;
  const codes = roles.map(({ code }) => code);
  const names = mails.map((mail) => mailTextObject(mail).id);
  const ids = applications.map(({ id }) => id);
  return [
    ...again(['roles'], 'code', codes),
    ...again(['mails'], 'name', names),
    ...againNamed(['faq'], faq),
    ...faq.flatMap(({ subcategories = [] }, at) => againNamed(['faq', at, 'subcategories'], subcategories)),
    ...again(
      ['apiResources'],
      'identifier',
      apiResources.map(({ identifier }) => identifier),
    ),
    ...(ids.length > APPLICATIONS_MAX
      ? [{ path: ['applications'], message: tooMany }]
      : again(['applications'], 'id', ids)),
  ];
}

function again(list: Path, field: string, names: readonly string[]): ShapeIssue[] {
  return names.flatMap((name, at) =>
    names.indexOf(name) < at ? [{ path: [...list, at, field], message: `${name} is already in the list` }] : [],
  );
}

/** Finds duplicates by name, ignoring case. */
const againNamed = (list: Path, items: readonly { name: string }[]) =>
  again(
    list,
    'name',
    items.map(({ name }) => nameKey(name)),
  );
