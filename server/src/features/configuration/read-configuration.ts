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
import { leftOutOf, leftOutOfWorld } from './left-out.ts';

type LocatedIssue = ConfigurationDifference['mistakes'][number];

/** Configuration from outside, as far as it can be read. */
export interface ReadConfiguration {
  /** Absent if there are mistakes. */
  file?: ConfigurationFile;
  /** Organisation it was exported from; '' if that can't be read. */
  from: string;
  mistakes: LocatedIssue[];
  leftOut: LocatedIssue[];
  /** Adds the positions in the text, in line order. @param issues below the organisation */
  locate(issues: readonly ShapeIssue[]): LocatedIssue[];
}

/** Reads a configuration in YAML or JSON or as an object. @param orgCode the target organisation */
export async function readConfiguration(orgCode: string, given: string | World): Promise<ReadConfiguration> {
  const { raw, unreadable, tell } = await read(given);
  const locate = (issues: readonly ShapeIssue[]) => tell(bounded(within(issues)));
  if (unreadable.length > 0) return { from: '', mistakes: unreadable, leftOut: [], locate };
  const shape = readShape(world, raw);
  if ('issues' in shape) return { from: '', mistakes: tell(bounded(shape.issues)), leftOut: [], locate };
  const { data } = shape;
  const [full, ...others] = data.organisations;
  if (!full || others.length > 0) {
    const message = full
      ? `A configuration describes one organisation; this file has ${data.organisations.length}`
      : 'This file contains no organisation';
    return { from: '', mistakes: tell([{ path: ['organisations'], message }]), leftOut: [], locate };
  }
  const { organisations: [written] = [] } = withoutDefaults(data, raw);
  const file = { isOwn: full.code === orgCode, given: written ?? { code: full.code }, full };
  const mistakes = locate(repeats(file.given));
  return {
    ...(mistakes.length === 0 && { file }),
    from: full.code,
    mistakes,
    leftOut: tell(bounded([...leftOutOfWorld(data, raw), ...within(leftOutOf(file, orgCode))])),
    locate,
  };
}

/** Characters that can be parsed as YAML without delaying others: it is a hundred times slower than JSON. */
export const YAML_MAX = 524_288;
/** Each one is written and rolled back in one transaction, which delays others. */
const APPLICATIONS_MAX = 1_000;

async function read(given: string | World) {
  if (typeof given !== 'string') return { raw: given, unreadable: [], tell: withoutLines };
  if (given.length > YAML_MAX) {
    // JSON has no byte order mark.
    const raw = readJson(given.replace(/^\uFEFF/, ''));
    const message = 'A file over 512 KB must be valid JSON';
    return { raw, unreadable: raw === undefined ? withoutLines([{ path: [], message }]) : [], tell: withoutLines };
  }
  const { readWorldText } = await import('@orchestrate/shared/world-text');
  const { world: raw, mistakes, locate } = readWorldText(given, { isSecret: true });
  return { raw: withoutEmpty(raw), unreadable: bounded(mistakes), tell: locate };
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

/** More mistakes than this help no one, and locating each one takes time. */
const MISTAKES_MAX = 200;

function bounded<Located extends { path: unknown; message: string }>(mistakes: readonly Located[]): Located[] {
  const first = mistakes.slice(0, MISTAKES_MAX);
  const last = first.at(-1);
  return last && mistakes.length > MISTAKES_MAX
    ? [...first, { ...last, message: `… and ${(mistakes.length - MISTAKES_MAX).toLocaleString('en')} more like these` }]
    : first;
}

const within = (issues: readonly ShapeIssue[]): ShapeIssue[] =>
  issues.map(({ path, message }) => ({ path: ['organisations', 0, ...path], message }));

const withoutLines = (issues: readonly ShapeIssue[]): LocatedIssue[] =>
  issues.map(({ path, message }) => ({ line: null, path: path.join('.'), message }));

/** Removes the defaults of the fields that a world leaves out. */
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

/** Returns duplicates in the file and lists that are too long. */
function repeats({
  roles = [],
  mails = [],
  applications = [],
  apiResources = [],
  faq = [],
}: ConfigurationFile['given']): ShapeIssue[] {
  const tooMany = `At most ${APPLICATIONS_MAX.toLocaleString('en')} applications in one file`;
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

/** For items identified by name, ignoring case. */
const againNamed = (list: Path, items: readonly { name: string }[]) =>
  again(
    list,
    'name',
    items.map(({ name }) => nameKey(name)),
  );
