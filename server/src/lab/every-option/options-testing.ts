import { isDeepStrictEqual } from 'node:util';
import { contract, type EndpointDefinition } from '@orchestrate/shared';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { ENDPOINTS } from '#testing/contract-entries.ts';
import type { Portal, Snapshot } from '../../testing-api/portal.ts';
import { startPortal } from '../../testing-api/start-portal.ts';

/** The lab's controls that have options, by the test file that covers them. */
export const FAMILIES = {
  deliveries: [
    'addOutboxFault',
    'addSocketFault',
    'addWebhookFault',
    'awaitSettled',
    'emptyOutbox',
    'forgeDelivery',
    'readOutbox',
  ],
  faults: ['addFault', 'clearFaults'],
  journal: ['awaitEntry', 'readJournal', 'verifyJournal'],
  phones: ['approveRequest', 'clearPolicies', 'denyRequest', 'setPolicy'],
  state: [
    'makeApplication',
    'makePerson',
    'makeSession',
    'makeSpace',
    'readPeople',
    'replayProvisioning',
    'resetLab',
    'setClock',
    'takeSnapshot',
    'virtualDevices',
  ],
  tokens: ['inspectToken', 'issueTokens'],
} as const;
export type Family = keyof typeof FAMILIES;

/** Longest list of values that each need a case. Longer lists are names, such as results or event types. */
const VALUES_MAX = 13;

/** Returns the schema inside optional, nullable and lazy fields, defaults, lists and transformations. */
function inner(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return inner(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodNullable) return inner(schema.unwrap() as z.ZodType);
  // JSON values are recursive.
  if (schema instanceof z.ZodLazy && !(schema.unwrap() instanceof z.ZodUnion))
    return inner(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) return inner(schema.element as z.ZodType);
  if (schema instanceof z.ZodPipe) return inner(schema.in as z.ZodType);
  return schema;
}

/**
 * Lists the options of a schema: every field as a path (`match.email`), and every value of a short list (`do: cut`).
 * The fields of a second variant start with its number (`2/path`).
 */
export function optionsIn(schema: z.ZodType, path = ''): string[] {
  const own = inner(schema);
  if (own instanceof z.ZodObject) {
    return Object.entries(own.shape).flatMap(([name, field]) =>
      optionsIn(field as z.ZodType, path === '' ? name : `${path}.${name}`),
    );
  }
  if (own instanceof z.ZodUnion) {
    const variants = own.options.map((option) => optionsIn(option as z.ZodType, path));
    if (path !== '') return [...new Set(variants.flat())];
    return variants.flatMap((found, index) => (index === 0 ? found : found.map((one) => `${index + 1}/${one}`)));
  }
  const values = own instanceof z.ZodEnum ? own.options : own instanceof z.ZodLiteral ? [...own.values] : [];
  const isShort = values.length > 1 && values.length <= VALUES_MAX;
  return isShort ? values.map((value) => `${path}: ${String(value)}`) : [path];
}

const nameOf = (endpoint: EndpointDefinition): string =>
  Object.entries<unknown>(contract).find(([, entry]) => entry === endpoint)?.[0] ?? '';

/** Every option of the lab, such as `addFault match.email`. */
export const allOptions: readonly string[] = ENDPOINTS.filter(({ area }) => area === 'Lab').flatMap((endpoint) =>
  [endpoint.body, endpoint.query].flatMap((schema) =>
    schema ? optionsIn(schema).map((option) => `${nameOf(endpoint)} ${option}`) : [],
  ),
);

export const optionsOf = (family: Family): string[] =>
  allOptions.filter((option) => FAMILIES[family].some((control) => option.startsWith(`${control} `)));

/** Members of acme with a phone. */
export const USER = 'user@acme.test';
export const MANAGER = 'manager@acme.test';
export const ADMIN = 'super.admin@acme.test';

/** A run of a case, with or without the option. */
export interface Run {
  portal: Portal;
  isOn: boolean;
  /** Returns `fields` in a run with the option, otherwise `otherwise`, which has no fields by default. */
  option<const With extends object>(fields: With): Partial<With>;
  option<const With extends object, const Without extends object>(fields: With, otherwise: Without): With | Without;
}

/** Returns the observable effects of a run, which must be the same in every run without the option. */
export type Case = (run: Run) => Promise<unknown>;

/** Creates a case for each value of an option. @param option e.g. `addFault answer.token` */
export const each = <Value extends string>(
  option: string,
  values: readonly Value[],
  caseOf: (value: Value) => Case,
): Record<string, Case> => Object.fromEntries(values.map((value) => [`${option}: ${value}`, caseOf(value)]));

/** Waits for a refusal. Returns the field that it names, or the result if there is none. */
export const refusalOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'accepted',
    ({ issues, resultName, message }) => issues?.[0]?.path ?? resultName ?? message,
  );

/**
 * Registers the tests of a family: every option must have a case, whose run with the option must observe something
 * else than its runs without it.
 */
export function proveOptions(
  family: Family,
  cases: Readonly<Record<string, Case>>,
  env: Record<string, string> = {},
): void {
  let portal: Portal;
  let start: Snapshot;
  beforeAll(async () => {
    portal = await startPortal({ env });
    // Generates the keys once, because this takes longer than everything else in a case.
    await portal.tokens({ client: 'team-wiki', as: USER });
    await fetch(`${portal.url}/saml/acme/travel-desk/metadata`);
    start = await portal.snapshot();
  });
  afterAll(() => portal.close());

  async function observe(name: string, isOn: boolean): Promise<unknown> {
    await start.restore();
    await portal.emptyJournal();
    const option = (fields: object, otherwise: object = {}) => (isOn ? fields : otherwise);
    return await cases[name]?.({ portal, isOn, option: option as Run['option'] });
  }

  test(`has a case for every option of ${family}`, () => {
    expect(Object.keys(cases).sort()).toEqual(optionsOf(family).sort());
  });

  // Without the tag `whole`, only the first value of each option is tested.
  const [first, others] = splitByGroup(Object.keys(cases));
  test.each(first)('%s makes a difference', prove);
  test.each(others)('%s makes a difference', { tags: 'whole' }, prove);

  async function prove(name: string): Promise<void> {
    const [without, found] = [await observe(name, false), await observe(name, true)];
    expect(isDeepStrictEqual(found, without), `With and without the option: ${JSON.stringify(found)}`).toBe(false);
  }

  // Otherwise every option would seem to make a difference.
  test.each(Object.keys(cases))('two runs without %s observe the same', { tags: 'whole' }, async (name) => {
    expect(await observe(name, false)).toEqual(await observe(name, false));
  });
}

/** Splits names into the first of each group, such as `setPolicy answer: approve`, and the others. */
function splitByGroup(names: readonly string[]): [string[], string[]] {
  const isFirst = (name: string, at: number) =>
    names.findIndex((one) => one.split(': ')[0] === name.split(': ')[0]) === at;
  return [names.filter(isFirst), names.filter((name, at) => !isFirst(name, at))];
}
