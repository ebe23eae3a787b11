import { composed, email } from '@orchestrate/shared';
import { z } from 'zod';
import { readMobileNumber } from '#core/members/addresses.ts';
import { normaliseUserName } from '#core/sign-in/find-member.ts';
import { ENTERPRISE_SCHEMA } from '../attributes.ts';
import type { Extension } from '../extensions.ts';
import { type Json, type JsonObject, unwrapList } from '../json.ts';
import { badRequest } from '../scim-error.ts';
import { spellNames } from '../spell-names.ts';
import { ELEMENTS_MAX, invalidValueError, storedAttributesOf } from './stored-attributes.ts';
import { readExtensions } from './stored-extensions.ts';

/** A boolean. Entra's legacy dialect writes `"True"`. */
const flag = z.preprocess(
  (value) => (typeof value === 'string' && /^(true|false)$/i.test(value) ? value.toLowerCase() === 'true' : value),
  z.boolean().nullish(),
);
const words = (max: number) => z.string().trim().max(max).nullish();
/** A list. Also accepts a single element for the list and a string for an element. */
const list = <Element extends z.ZodType>(element: Element) =>
  z.preprocess(
    (value) => (value === undefined || value === null || Array.isArray(value) ? value : [value]),
    z.array(element).max(ELEMENTS_MAX).nullish(),
  );
const element = z.preprocess(
  (value) => (typeof value === 'string' ? { value } : value),
  z.object({ value: words(254), display: words(254), type: words(100), primary: flag }),
);
type Element = z.output<typeof element>;

const userForm = z.object({
  userName: z.string('userName is required').trim().min(1, 'userName is required').max(254, 'at most 254 characters'),
  externalId: words(255),
  name: z.object({ formatted: words(255), familyName: words(100), givenName: words(100) }).nullish(),
  displayName: words(255),
  active: flag,
  emails: list(element),
  phoneNumbers: list(element),
  roles: list(element),
  [ENTERPRISE_SCHEMA]: z
    .object({
      employeeNumber: words(100),
      manager: z.preprocess((input) => {
        const value = unwrapList(input as Json | undefined);
        return typeof value === 'string' ? { value } : value;
      }, z.object({ value: words(64) }).nullish()),
    })
    .nullish(),
});

/** A user as sent by a directory; null for omitted values. */
export interface UserInput {
  userName: string;
  externalId: string | null;
  firstName: string | null;
  lastName: string | null;
  active: boolean | null;
  /** Lowercase email address. */
  address: string | null;
  /** E.164; null if the number is missing or can't be parsed. */
  mobileNumber: string | null;
  /** Role codes or names; empty for an empty list. */
  roles: readonly string[] | null;
  employeeNumber: string | null;
  /** PATCH: true if the number was removed. A PUT without a number leaves it unchanged. */
  isNumberRemoved?: boolean;
  managerSuid: string | null;
  displayName: string | null;
  /** Attributes without a column, plus the email addresses and numbers that aren't used here. */
  kept: JsonObject;
}

/**
 * Parses a user from a request body.
 * @param before current resource, if any; unchanged values of `extensions` aren't validated again
 * @throws ScimError invalidValue; mutability
 */
export function readUser(
  body: JsonObject,
  { extensions, before }: { extensions: readonly Extension[]; before: JsonObject },
): UserInput {
  const spelt = spellNames(body);
  const parsed = userForm.safeParse(spelt);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw badRequest('invalidValue', `${issue?.path.join('.')}: ${issue?.message}`);
  }
  const { userName, externalId, active, emails, phoneNumbers, roles, ...rest } = parsed.data;
  const enterprise = rest[ENTERPRISE_SCHEMA];
  requireOnePrimary({ emails, phoneNumbers });
  const address = chosenAddress(emails ?? []);
  const mobile = chosenMobile(phoneNumbers ?? []);
  const extended = readExtensions(extensions, spelt, before);
  const mobileNumber = readMobileNumber(mobile?.value?.replace(/^tel:/i, '')) ?? null;
  return {
    userName: normaliseUserName(userName),
    externalId: externalId || null,
    ...namesOf(rest),
    active: active ?? null,
    address: addressOf(address),
    mobileNumber,
    displayName: rest.displayName || null,
    kept: {
      ...storedAttributesOf(spelt),
      ...others('emails', emails, address),
      ...others('phoneNumbers', phoneNumbers, mobileNumber === null ? undefined : mobile),
      ...(mobileNumber !== null && mobile?.primary && { primaryNumber: 'mobile' }),
      ...(Object.keys(extended).length > 0 && { extensions: extended }),
    },
    roles: roles?.map(({ value, display }) => value || display || '').filter((role) => role !== '') ?? null,
    employeeNumber: composed(enterprise?.employeeNumber ?? '') || null,
    managerSuid: enterprise?.manager?.value || null,
  };
}

function namesOf({ name, displayName }: Pick<z.output<typeof userForm>, 'name' | 'displayName'>) {
  const { givenName, familyName, formatted } = name ?? {};
  if (givenName || familyName) return { firstName: givenName ?? null, lastName: familyName ?? null };
  const whole = (formatted || displayName || '').replace(/\s+/g, ' ');
  if (whole === '') return { firstName: null, lastName: null };
  const space = whole.indexOf(' ');
  if (space < 0) return { firstName: whole.slice(0, 100), lastName: '' };
  return { firstName: whole.slice(0, space).slice(0, 100), lastName: whole.slice(space + 1).slice(0, 100) };
}

const isOf = (type: string) => (one: Element) => one.type?.toLowerCase() === type;
const isPrimary = ({ primary }: Element) => primary === true;

/** Rejects more than one primary value per list (RFC 7643 §2.4). @throws ScimError invalidValue */
function requireOnePrimary(lists: Readonly<Record<string, readonly Element[] | null | undefined>>): void {
  for (const [name, elements] of Object.entries(lists)) {
    if ((elements ?? []).filter(isPrimary).length > 1)
      throw invalidValueError(name, 'at most one value can be primary');
  }
}

function chosenAddress(emails: readonly Element[]): Element | undefined {
  const given = emails.filter(({ value }) => value);
  return given.find(isPrimary) ?? given.find(isOf('work')) ?? given[0];
}

function addressOf(chosen: Element | undefined): string | null {
  if (!chosen) return null;
  const parsed = email.safeParse(chosen.value);
  if (parsed.success) return parsed.data;
  throw badRequest('invalidValue', `emails: ${chosen.value} is not an email address.`);
}

/** Returns an email address in lower case, or undefined if it is invalid. */
export function parseEmailAddress(text: string): string | undefined {
  const parsed = email.safeParse(text);
  return parsed.success ? parsed.data : undefined;
}

/** Chooses the mobile number. Numbers with another type, such as work, are ignored. */
function chosenMobile(numbers: readonly Element[]): Element | undefined {
  const untyped = numbers.filter(({ type }) => !type);
  return numbers.find(isOf('mobile')) ?? untyped.find(isPrimary) ?? untyped[0];
}

/** Returns the list elements that aren't used here. */
function others(
  name: string,
  elements: readonly Element[] | null | undefined,
  used: Element | undefined,
): { [name: string]: JsonObject[] } {
  const rest = (elements ?? []).flatMap((one): JsonObject[] => {
    const { value, display, type, primary } = one;
    if (one === used || !value || value === used?.value) return [];
    return [{ value, ...(display && { display }), ...(type && { type }), ...(primary && { primary }) }];
  });
  return rest.length > 0 ? { [name]: rest } : {};
}
