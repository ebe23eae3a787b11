import { isDeepStrictEqual } from 'node:util';
import { type Expectation, isSecret } from '@orchestrate/shared';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { fieldsOf } from '../../platform/http/callers/permissions.ts';
import { nearest } from '../../platform/nearest.ts';
import { Refusal } from '../../platform/refusal.ts';
import { fitsPattern, meetsPattern } from '../faults/served-paths.ts';
import { innerOf, SECRET } from './redact.ts';
import type { Verifiable } from './verify.ts';

/** Why a part of a body is never there. */
interface Obstacle {
  /** Names and places in lists, from the outside in. */
  path: string[];
  /** Absent where the name itself is wrong. */
  message?: string;
  /** Where any value would be wrong: the names that are there instead. */
  known?: string[];
}

/**
 * Refuses a part of an expected body that the contract has at none of the addresses that are meant: misspelt, it would
 * pass as “0 times”. What somebody has sent all the same can be asked for, and so can a text of any form: that a client
 * checks an address before it sends it is worth a test.
 * @throws Refusal INVALID_REQUEST naming the field
 */
export function requirePossible({ registered }: Deps, expected: Expectation, happened: readonly Verifiable[]): void {
  const { kind, method, path, direction, body } = expected;
  if (path === undefined || body === undefined) return;
  const obstacles = kind === 'socket' ? obstaclesOfMessages() : obstaclesOfCalls();
  const deepest = deepestOf(obstacles);
  if (!deepest || happened.some(has(deepest))) return;
  const field = ['body', ...deepest.path].join('.');
  const message = `${field} would never be found: ${deepest.message ?? noName(deepest)}`;
  throw new Refusal('INVALID_REQUEST', { message, issues: [{ path: field, message }] });

  function obstaclesOfCalls() {
    const meant = registered.endpoints.filter(
      (entry) => fitsPattern(path ?? '', `/api${entry.path}`) && (method === undefined || method === entry.method),
    );
    const taken = meant.flatMap((entry) => entry.body ?? entry.multipart ?? []);
    if (taken.length === 0)
      return meant.map((entry) => nothing(`${entry.method} /api${entry.path} doesn't accept a body.`));
    return taken.map((schema) => obstacleIn(schema, body));
  }

  function obstaclesOfMessages() {
    const meant = registered.channels.filter((channel) => fitsPattern(path ?? '', channel.path));
    const schemas = meant.flatMap(({ server, client }) => [
      ...(direction === 'received' ? [] : [server]),
      ...(direction === 'sent' || !client ? [] : [client]),
    ]);
    if (schemas.length === 0) return meant.map((channel) => nothing(`${channel.path} doesn't accept messages.`));
    return schemas.map((schema) => obstacleIn(schema, body));
  }

  /** Whether a part was sent, although nothing takes it. */
  function has({ path: place, known }: Obstacle) {
    const at = (value: unknown) => place.reduce(own, value);
    return ({ entry, address }: Verifiable): boolean => {
      const where = entry.kind === 'socket' ? entry.channel : address;
      if (where === undefined || !meetsPattern(where, path ?? '')) return false;
      const actual = at(entry.kind === 'socket' ? entry.message : fieldsOf(entry).requestBody);
      return known ? actual !== undefined && actual !== null : isDeepStrictEqual(actual, at(body));
    };
  }
}

const nothing = (message: string): Obstacle => ({ path: [], message, known: [] });

function noName({ path, known = [] }: Obstacle): string {
  const meant = nearest(path.at(-1) ?? '', known);
  return `there is no such field.${meant ? ` Did you mean ${meant}?` : ''}`;
}

/**
 * What keeps a value from each of several schemas: the deepest, as that schema fits best; undefined where it fits one.
 */
function deepestOf(obstacles: readonly (Obstacle | undefined)[]): Obstacle | undefined {
  const all = obstacles.flatMap((one) => one ?? []);
  const [deepest] = all.toSorted((a, b) => b.path.length - a.path.length);
  if (!deepest || all.length < obstacles.length) return undefined;
  const alike = all.filter(({ path }) => isDeepStrictEqual(path, deepest.path));
  // A field that one of them has, if with another value, is not missing.
  const value = alike.find(({ known }) => !known);
  return value ?? { ...deepest, known: alike.flatMap(({ known = [] }) => known) };
}

/** The first part of a value that a schema never has. */
function obstacleIn(schema: z.ZodType | undefined, value: unknown, path: string[] = []): Obstacle | undefined {
  if (!schema || isSecret(schema) || value === SECRET || value === null) return undefined;
  const inner = innerOf(schema);
  if (inner) return obstacleIn(inner, value, path);
  if (schema instanceof z.ZodUnion) {
    const options = schema.options as readonly z.ZodType[];
    return deepestOf(options.map((option) => obstacleIn(option, value, path)));
  }
  const never = (message: string): Obstacle => ({ path, message });
  if (schema instanceof z.ZodObject) {
    if (!isObject(value)) return never('it is an object.');
    const shape: Record<string, z.ZodType> = schema.shape;
    const isOpen = schema.def.catchall !== undefined && !(schema.def.catchall instanceof z.ZodNever);
    return firstOf(Object.entries(value), ([name, part]) => {
      if (Object.hasOwn(shape, name)) return obstacleIn(shape[name], part, [...path, name]);
      if (isOpen) return undefined;
      return { path: [...path, name], known: Object.keys(shape) };
    });
  }
  if (schema instanceof z.ZodArray) {
    if (!isObject(value)) return never('it is a list.');
    return firstOf(Object.entries(value), ([place, item]) =>
      obstacleIn(schema.element as z.ZodType, item, [...path, place]),
    );
  }
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral) {
    const all = schema instanceof z.ZodEnum ? schema.options : [...schema.values];
    if (all.some((one) => one === value)) return undefined;
    const known = all.map(String);
    const meant = nearest(String(value), known);
    return never(meant ? `did you mean ${meant}?` : `it is one of ${known.join(', ')}.`);
  }
  if (schema instanceof z.ZodBoolean && typeof value !== 'boolean') return never('it is true or false.');
  if (schema instanceof z.ZodNumber && typeof value !== 'number') return never('it is a number.');
  if (schema instanceof z.ZodString && typeof value !== 'string') return never('it is a text.');
  return undefined;
}

function firstOf<Item>(items: readonly Item[], look: (item: Item) => Obstacle | undefined): Obstacle | undefined {
  for (const item of items) {
    const found = look(item);
    if (found) return found;
  }
  return undefined;
}

const own = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? Object(value)[name] : undefined;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
