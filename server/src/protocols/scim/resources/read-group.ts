import { displayText, LIMITS } from '@orchestrate/shared';
import { z } from 'zod';
import { GROUP_SCHEMA } from '../attributes.ts';
import { hasSchema, isObject, type Json, type JsonObject } from '../json.ts';
import type { Filter } from '../queries/filter.ts';
import { valuesAt } from '../queries/matches-filter.ts';
import { badRequest } from '../scim-error.ts';
import { spellNames } from '../spell-names.ts';
import { type PatchOperation, parsePath } from './patch-request.ts';

const ids = z.array(z.object({ value: z.string().trim().min(1).max(64) })).max(10_000);
const groupForm = z.object({
  displayName: displayText(LIMITS.groupNameMaxLength, 'displayName is required'),
  externalId: z.string().trim().max(255).nullish(),
  members: ids.nullish(),
});

/** A group as sent by a directory. */
export interface GroupInput {
  displayName: string;
  externalId: string | null;
  /** User IDs; undefined if omitted. */
  members: readonly string[] | undefined;
}

/** Parses a group from a request body. @throws ScimError invalidSyntax, invalidValue */
export function readGroup(body: JsonObject | undefined): GroupInput {
  if (!body || !hasSchema(body, GROUP_SCHEMA)) {
    throw badRequest('invalidSyntax', `Groups must have the schema ${GROUP_SCHEMA}.`);
  }
  const parsed = groupForm.safeParse(spellNames(body));
  if (!parsed.success) throw invalidValue(parsed.error);
  const { displayName, externalId, members } = parsed.data;
  return { displayName, externalId: externalId || null, members: members?.map(({ value }) => value) };
}

const invalidValue = ({ issues: [issue] }: z.ZodError) =>
  badRequest('invalidValue', `${issue?.path.join('.')}: ${issue?.message}`);

/** A single step of a PATCH on a group. */
export type GroupStep =
  | { do: 'name'; displayName: string }
  | { do: 'externalId'; externalId: string | null }
  | { do: 'add' | 'remove' | 'replace'; members: readonly string[] };

/**
 * Converts operations in either dialect to steps. @param id group ID
 * @throws ScimError invalidPath, invalidValue, mutability
 */
export function groupStepsOf(operations: readonly PatchOperation[], id: string): GroupStep[] {
  return operations.flatMap((operation) => {
    if (operation.path !== undefined) return stepAt(operation.path, operation);
    if (!isObject(operation.value))
      throw badRequest('invalidValue', 'The value must be an object if there is no path.');
    return Object.entries(operation.value).flatMap(([name, value]) => {
      // Okta includes the group's own ID.
      const isSaid = value === undefined || /^schemas$/i.test(name) || (/^id$/i.test(name) && value === id);
      return isSaid ? [] : stepAt(name, { ...operation, value });
    });
  });
}

function stepAt(text: string, { op, value }: PatchOperation): GroupStep[] {
  const { attribute, filter, sub } = parsePath(text);
  switch (attribute) {
    case 'displayName':
      if (op === 'remove') throw badRequest('mutability', 'Groups must have a displayName.');
      return [{ do: 'name', displayName: read(groupForm.shape.displayName, value) }];
    case 'externalId':
      return [
        { do: 'externalId', externalId: op === 'remove' ? null : (read(groupForm.shape.externalId, value) ?? null) },
      ];
    case 'members':
      if (sub !== undefined) throw badRequest('mutability', UNCHANGEABLE);
      if (filter) return membersMeeting(filter, op);
      // A removal without a value removes all members.
      if (op === 'remove' && (value === undefined || value === null)) return [{ do: 'replace', members: [] }];
      return [{ do: op, members: read(ids, listOf(value)).map((one) => one.value) }];
    case 'id':
    case 'meta':
      throw badRequest('mutability', `${attribute} is read-only.`);
    default:
      throw badRequest('invalidPath', `Groups have no attribute ${attribute}.`);
  }
}

const UNCHANGEABLE = 'Members can only be added and removed.';

/** Parses `members[value eq "…"]`, whose filter identifies the member. */
function membersMeeting(filter: Filter, op: PatchOperation['op']): GroupStep[] {
  const members = namedBy(filter);
  if (op !== 'remove') throw badRequest('mutability', UNCHANGEABLE);
  return [{ do: 'remove', members }];
}

function namedBy(filter: Filter): string[] {
  if (filter.op === 'or') return filter.filters.flatMap(namedBy);
  if (filter.op === 'eq' && filter.path === 'value') return [String(filter.value)];
  throw badRequest('invalidFilter', 'Use value eq "…" to select members.');
}

/** Returns a list, wrapping a single value. */
function listOf(value: Json | undefined): Json[] {
  const elements = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
  return elements.map((element) => {
    if (typeof element === 'string') return { value: element };
    return isObject(element) ? { value: valuesAt(element, 'value')[0] } : element;
  });
}

function read<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw invalidValue(parsed.error);
  return parsed.data;
}
