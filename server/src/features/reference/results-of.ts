import { COMMON_REFUSALS, type EndpointDefinition, type Result, refusalStatusOf, resultOf } from '@orchestrate/shared';
import { z } from 'zod';
import { isPublicWrite } from '#platform/http/callers/rate-limit.ts';
import { missingFieldResult } from '#platform/http/requests/read-request.ts';

/** Possible result of an endpoint, with its HTTP status there. */
export interface PossibleResult extends Result {
  isRefusal: boolean;
}

/** Returns the results an endpoint may return: its own, and common ones caused by its access and fields. */
export function resultsOf(entry: EndpointDefinition): PossibleResult[] {
  const news = (entry.news ?? []).map((name) => ({ ...resultOf(name), status: 200, isRefusal: false }));
  const own = (entry.refuses ?? []).map((name) => refusal(name, refusalStatusOf(entry, name)));
  // Unknown ids are refused by the rule, like its own refusals; the other common ones come first.
  const common = commonRefusals(entry).map((name) =>
    refusal(name, name === 'ID_DOESNOT_EXIST' ? refusalStatusOf(entry, name) : undefined),
  );
  const success = { ...resultOf('SUCCESS'), isRefusal: false };
  const others = Object.entries(entry.refusesWith ?? {}).map(([status, name]) => refusal(name, Number(status)));
  const results = [success, ...news, ...own, ...others, ...common, ...transport(entry)];
  return results.filter(
    (result, index) =>
      results.findIndex(({ name, status }) => name === result.name && status === result.status) === index,
  );
}

/** Returns the results of requests that fail before or outside the rules, with HTTP statuses. */
function transport(entry: EndpointDefinition): PossibleResult[] {
  const statuses = [...(entry.body || entry.multipart ? [413, 415] : []), ...(isPublicWrite(entry) ? [429] : [])];
  return [...statuses.map((status) => refusal('BAD_REQUEST', status)), refusal('FAILED', 500)];
}

/** @param status if it isn't the result's default */
function refusal(name: Result['name'], status?: number): PossibleResult {
  const result = resultOf(name);
  return { ...result, status: status ?? result.status, isRefusal: true };
}

/** Field with the id of an object that may not exist (any more). The own organisation always does. */
const NAMES_SOMETHING = /^(?:id|(?!orgId$)\w+Id|[sz]uid|[az]id|kid|roleCode)$/;

function commonRefusals({ access, isFromAnywhere, ...entry }: EndpointDefinition): Result['name'][] {
  const isSignedIn = access.who === 'signed-in' || access.who === 'permission' || access.who === 'member';
  const given = [entry.params, entry.query, entry.body, entry.multipart].flatMap(fieldsOf);
  const names = given.map(([name]) => name);
  const fields = given.flatMap(([name, field]) => missingFieldResult(name, field) ?? []);
  return [
    // Even without input, a header may be invalid, such as the lab's `x-lab-ip`.
    ...(['INVALID_REQUEST', 'BAD_REQUEST'] as const),
    ...new Set(fields),
    ...(names.includes('action') ? (['UNSUPPORTED_ACTION'] as const) : []),
    ...(isSignedIn ? (['UNAUTHORIZED', 'INVALID_SESSION', 'FORBIDDEN'] as const) : []),
    ...(isSignedIn && !isFromAnywhere ? (['IP_NOT_VALID'] as const) : []),
    ...(access.who === 'lab' ? (['FORBIDDEN'] as const) : []),
    ...(access.who === 'permission' || access.who === 'member' ? (['INVALID_PERMISSIONS'] as const) : []),
    ...(access.who === 'member' || names.some((name) => NAMES_SOMETHING.test(name))
      ? (['ID_DOESNOT_EXIST'] as const)
      : []),
  ].filter((name) => COMMON_REFUSALS.includes(name));
}

function fieldsOf(schema: z.core.$ZodType | undefined): [name: string, field: unknown][] {
  if (schema instanceof z.ZodObject) return Object.entries(schema.shape);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(fieldsOf);
  return schema instanceof z.ZodOptional ? fieldsOf(schema.unwrap()) : [];
}
