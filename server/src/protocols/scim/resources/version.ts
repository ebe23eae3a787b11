import { hash } from 'node:crypto';
import type { JsonObject } from '../json.ts';
import { ScimError } from '../scim-error.ts';
import type { ScimAnswer, ScimRequest } from '../scope.ts';

/** A weak entity tag of a resource's contents: any change, here or in the portal, changes the tag. */
export const versionOf = (said: string): string => `W/"${hash('sha1', said, 'base64url')}"`;

/** Tags are compared weakly (RFC 9110 §8.8.3.2): directories send them with and without `W/`. */
function names(header: string, version: string): boolean {
  const bare = (tag: string) => tag.trim().replace(/^W\//, '');
  return header.trim() === '*' || header.split(',').some((tag) => bare(tag) === bare(version));
}

type Conditions = Pick<ScimRequest, 'ifMatch' | 'ifNoneMatch'>;

/** Whether a change depends on the version of what it changes, which takes time where that is large. */
export const isConditional = ({ ifMatch, ifNoneMatch }: Conditions): boolean =>
  ifMatch !== undefined || ifNoneMatch !== undefined;

/** @throws ScimError 412 where the resource is not what the directory believes (RFC 7644 §3.14, RFC 9110 §13.1) */
export function requireVersion({ ifMatch, ifNoneMatch }: Conditions, version: string): void {
  if (ifMatch !== undefined && !names(ifMatch, version)) {
    throw new ScimError(412, 'The resource has changed since it was read.');
  }
  if (ifNoneMatch !== undefined && names(ifNoneMatch, version)) {
    throw new ScimError(412, 'The resource is there in a version that If-None-Match excludes.');
  }
}

export interface Versioned {
  resource: JsonObject;
  version: string;
  location: string;
}

/** A resource, or the answer that the directory's copy is still current. */
export function answerWith({ resource, version, location }: Versioned, { ifNoneMatch }: ScimRequest): ScimAnswer {
  const head = { version, location };
  if (ifNoneMatch !== undefined && names(ifNoneMatch, version)) return { status: 304, ...head };
  return { status: 200, body: resource, ...head };
}
