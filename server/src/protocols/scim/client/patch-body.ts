import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../json.ts';

export const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/**
 * Returns the operations that turn one resource into another (RFC 7644 §3.5.2). Each has a path: an attribute, a
 * sub-attribute such as `name.givenName`, or an extension attribute such as the manager.
 */
export function patchBody(before: JsonObject, after: JsonObject): JsonObject {
  const { schemas: _before, ...known } = before;
  const { schemas: _after, ...wanted } = after;
  const Operations = namesIn(known, wanted).flatMap((name): Json[] => {
    const [was, is] = [known[name], wanted[name]];
    if (!isObject(is)) return change(name, was, is);
    const had = isObject(was) ? was : {};
    // A colon separates an extension's URN from its attribute (RFC 7644 §3.10).
    const separator = name.startsWith('urn:') ? ':' : '.';
    return namesIn(had, is).flatMap((part) => change(`${name}${separator}${part}`, had[part], is[part]));
  });
  return { schemas: [PATCH_OP], Operations };
}

const namesIn = (before: JsonObject, after: JsonObject) => [
  ...new Set([...Object.keys(before), ...Object.keys(after)]),
];

function change(path: string, was: Json | undefined, is: Json | undefined): Json[] {
  if (isDeepStrictEqual(was, is)) return [];
  return is === undefined ? [{ op: 'remove', path }] : [{ op: 'replace', path, value: is }];
}
