import { hash } from 'node:crypto';
import type { JsonObject } from '../json.ts';
import { ScimError } from '../scim-error.ts';
import type { ScimRequest, ScimResponse } from '../scope.ts';

/**
 * Returns a weak entity tag of a resource's contents. Every change made by a directory or in the portal yields a new
 * tag.
 */
export const versionOf = (content: string): string => `W/"${hash('sha1', content, 'base64url')}"`;

/**
 * Returns true if a header contains an entity tag. The comparison is weak (RFC 9110 §8.8.3.2) because directories
 * send tags with and without `W/`.
 */
function names(header: string, version: string): boolean {
  const bare = (tag: string) => tag.trim().replace(/^W\//, '');
  return header.trim() === '*' || header.split(',').some((tag) => bare(tag) === bare(version));
}

type Conditions = Pick<ScimRequest, 'ifMatch' | 'ifNoneMatch'>;

/** Returns true if a request depends on its target's version, which is slow to compute for large groups. */
export const isConditional = ({ ifMatch, ifNoneMatch }: Conditions): boolean =>
  ifMatch !== undefined || ifNoneMatch !== undefined;

/**
 * Checks the version that a directory expects (RFC 7644 §3.14, RFC 9110 §13.1). @throws ScimError 412 if the resource
 * has another version
 */
export function requireVersion({ ifMatch, ifNoneMatch }: Conditions, version: string): void {
  if (ifMatch !== undefined && !names(ifMatch, version)) {
    throw new ScimError(412, 'The resource has changed since it was read.');
  }
  if (ifNoneMatch !== undefined && names(ifNoneMatch, version)) {
    throw new ScimError(412, 'The resource exists in a version excluded by If-None-Match.');
  }
}

export interface Versioned {
  resource: JsonObject;
  version: string;
  location: string;
}

/** Returns the resource, or 304 if the directory's copy is current. */
export function resourceResponse(
  { resource, version, location }: Versioned,
  { ifNoneMatch }: ScimRequest,
): ScimResponse {
  const head = { version, location };
  if (ifNoneMatch !== undefined && names(ifNoneMatch, version)) return { status: 304, ...head };
  return { status: 200, body: resource, ...head };
}
