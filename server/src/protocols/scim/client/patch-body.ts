import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../json.ts';

const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** The operations that make one resource of another (RFC 7644 §3.5.2), each with its path. */
export function patchBody(before: JsonObject, after: JsonObject): JsonObject {
  const { schemas: _before, ...known } = before;
  const { schemas: _after, ...wanted } = after;
  return { schemas: [PATCH_OP], Operations: operations(known, wanted, (name) => name) };
}

function operations(before: JsonObject, after: JsonObject, pathOf: (name: string) => string): Json[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name): Json[] => {
    const [was, is] = [before[name], after[name]];
    if (isDeepStrictEqual(was, is)) return [];
    if (is === undefined) return [{ op: 'remove', path: pathOf(name) }];
    if (isObject(is)) {
      // RFC 7644 §3.10: what belongs to an extension follows its URN after a colon.
      const separator = name.startsWith('urn:') ? ':' : '.';
      return operations(isObject(was) ? was : {}, is, (part) => `${name}${separator}${part}`);
    }
    return [{ op: 'replace', path: pathOf(name), value: is }];
  });
}
