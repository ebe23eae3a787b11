import {
  COMMON_REFUSALS,
  type EndpointDefinition,
  MISSING_FIELD_RESULTS,
  type Result,
  resultOf,
} from '@orchestrate/shared';

/** A result that an endpoint may return, with the HTTP status that it has there. */
export interface PossibleResult extends Result {
  isRefusal: boolean;
}

/** The results an endpoint may return: its own, and those common ones that its access and fields can cause. */
export function resultsOf(entry: EndpointDefinition): PossibleResult[] {
  const news = (entry.news ?? []).map((name) => ({ ...resultOf(name), status: 200, isRefusal: false }));
  const own = (entry.refuses ?? []).map((name) => ({
    ...resultOf(name),
    status: statusOf(entry, name),
    isRefusal: true,
  }));
  const common = commonRefusals(entry).map((name) => ({ ...resultOf(name), isRefusal: true }));
  const success = { ...resultOf('SUCCESS'), isRefusal: false };
  const results = [success, ...news, ...own, ...common];
  return results.filter((result, index) => results.findIndex(({ name }) => name === result.name) === index);
}

function statusOf({ refusalStatus }: EndpointDefinition, name: Result['name']): number {
  const named = typeof refusalStatus === 'object' ? refusalStatus[name] : refusalStatus;
  return named ?? resultOf(name).status;
}

function commonRefusals({
  access,
  body,
  query,
  params,
  multipart,
  isFromAnywhere,
}: EndpointDefinition): Result['name'][] {
  const isSignedIn = access.who === 'signed-in' || access.who === 'permission' || access.who === 'member';
  const hasInput = body !== undefined || query !== undefined || params !== undefined || multipart !== undefined;
  const fields = fieldsOf(body).flatMap((name) => MISSING_FIELD_RESULTS[name] ?? []);
  return [
    ...(hasInput ? (['INVALID_REQUEST', 'BAD_REQUEST'] as const) : []),
    ...new Set(fields),
    ...(fieldsOf(body).includes('action') ? (['UNSUPPORTED_ACTION'] as const) : []),
    ...(isSignedIn ? (['UNAUTHORIZED', 'INVALID_SESSION', 'FORBIDDEN'] as const) : []),
    ...(isSignedIn && !isFromAnywhere ? (['IP_NOT_VALID'] as const) : []),
    ...(access.who === 'lab' ? (['FORBIDDEN'] as const) : []),
    ...(access.who === 'permission' || access.who === 'member' ? (['INVALID_PERMISSIONS'] as const) : []),
    ...(access.who === 'member' ? (['ID_DOESNOT_EXIST'] as const) : []),
  ].filter((name) => COMMON_REFUSALS.includes(name));
}

const fieldsOf = (body: EndpointDefinition['body']): string[] =>
  body && 'shape' in body && typeof body.shape === 'object' && body.shape !== null ? Object.keys(body.shape) : [];
