import { resultOf } from '@orchestrate/shared';
import { Refusal } from '#platform/refusal.ts';
import type { JsonObject } from './json.ts';

/** Error keywords (RFC 7644 §3.12, table 9). */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'invalidVers'
  | 'mutability'
  | 'noTarget'
  | 'notImplemented'
  | 'sensitive'
  | 'tooMany'
  | 'uniqueness';

/** An error response to a directory's request. */
export class ScimError extends Error {
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail);
    this.name = 'ScimError';
    this.status = status;
    this.scimType = scimType;
  }
}

export const badRequest = (scimType: ScimType, detail: string): ScimError => new ScimError(400, detail, scimType);

export const notFound = (what: string): ScimError => new ScimError(404, `Resource ${what} not found`);

/** Converts a refusal by the portal's own rules to a SCIM error. */
export function toScimError(reason: unknown): ScimError | undefined {
  if (reason instanceof ScimError) return reason;
  if (!(reason instanceof Refusal)) return undefined;
  const status = reason.status ?? resultOf(reason.result).status;
  return new ScimError(status < 400 ? 409 : status, reason.message);
}

/** Returns the body of an error response (RFC 7644 §3.12). */
export function errorBody({ status, scimType, message }: ScimError): JsonObject {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    ...(scimType && { scimType }),
    detail: message,
    status: String(status),
  };
}
