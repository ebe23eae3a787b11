import { COMMON_REFUSALS, type EndpointDefinition, type Result, refusalStatusOf, resultOf } from '@orchestrate/shared';
import { z } from 'zod';
import { isPublicWrite } from '#platform/http/callers/rate-limit.ts';
import { missingFieldResult } from '#platform/http/requests/read-request.ts';

/** A result that an endpoint can return, with its HTTP status for that endpoint. */
export interface PossibleResult extends Result {
  isRefusal: boolean;
}

/** Returns all results of an endpoint: its own results, and common ones that follow from its access and fields. */
export function resultsOf(entry: EndpointDefinition): PossibleResult[] {
  const news = (entry.news ?? []).map((name) => ({ ...resultOf(name), status: 200, isRefusal: false }));
  const own = (entry.refuses ?? []).map((name) => refusal(name, refusalStatusOf(entry, name)));
  // An unknown ID gets the same status as the endpoint's own refusals. Other common refusals keep their default
  // status.
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

/** Returns the results of requests that fail outside the handler, with their HTTP statuses. */
function transport(entry: EndpointDefinition): PossibleResult[] {
  const statuses = [...(entry.body || entry.multipart ? [413, 415] : []), ...(isPublicWrite(entry) ? [429] : [])];
  return [...statuses.map((status) => refusal('BAD_REQUEST', status)), refusal('FAILED', 500)];
}

/**
 * Returns a result with its HTTP status.
 * @param status HTTP status, if different from the result's default
 */
function refusal(name: Result['name'], status?: number): PossibleResult {
  const result = resultOf(name);
  return { ...result, status: status ?? result.status, isRefusal: true };
}

/**
 * Matches fields that contain the ID of an object that might not exist. `orgId` is excluded because the user's
 * organisation always exists.
 */
const NAMES_SOMETHING = /^(?:id|(?!orgId$)\w+Id|[sz]uid|[az]id|kid|roleCode)$/;

function commonRefusals({ access, isFromAnywhere, ...entry }: EndpointDefinition): Result['name'][] {
  const isSignedIn = access.who === 'signed-in' || access.who === 'permission' || access.who === 'member';
  const given = [entry.params, entry.query, entry.body, entry.multipart].flatMap(fieldsOf);
  const names = given.map(([name]) => name);
  const fields = given.flatMap(([name, field]) => missingFieldResult(name, field) ?? []);
  return [
    // An endpoint without input can still receive an invalid header, e.g. the lab's `x-lab-ip`.
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
