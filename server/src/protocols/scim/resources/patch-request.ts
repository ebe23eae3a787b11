import {
  canonicalName,
  ENTERPRISE_ATTRIBUTES,
  ENTERPRISE_SCHEMA,
  findAttribute,
  GROUP_SCHEMA,
  USER_SCHEMA,
} from '../attributes.ts';
import { ENTERPRISE, type Extension, extensionAt } from '../extensions.ts';
import { fieldOf, hasSchema, isObject, type Json, type JsonObject } from '../json.ts';
import { type Filter, parseFilter } from '../queries/filter.ts';
import { badRequest } from '../scim-error.ts';

export interface PatchOperation {
  op: 'add' | 'replace' | 'remove';
  path: string | undefined;
  value: Json | undefined;
  /**
   * True for Entra's legacy dialect, recognised by its capitalised operations. In this dialect, replace operations
   * can also add missing values.
   */
  mayBeMissing: boolean;
}

export const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const MAX_OPERATIONS = 1_000;

/** Parses the operations of a PATCH (RFC 7644 §3.5.2). @throws ScimError invalidSyntax, invalidValue */
export function readOperations(body: JsonObject): PatchOperation[] {
  const listed = fieldOf(body, 'Operations');
  if (!hasSchema(body, PATCH_SCHEMA)) {
    throw badRequest('invalidSyntax', `PATCH requests must have the schema ${PATCH_SCHEMA}.`);
  }
  if (!Array.isArray(listed) || listed.length === 0) {
    throw badRequest('invalidSyntax', 'PATCH requests must have Operations.');
  }
  if (listed.length > MAX_OPERATIONS)
    throw badRequest('tooMany', `PATCH requests can have at most ${MAX_OPERATIONS} operations.`);
  return listed.map(readOperation);
}

function readOperation(operation: Json): PatchOperation {
  const name = isObject(operation) ? fieldOf(operation, 'op') : undefined;
  if (!isObject(operation) || typeof name !== 'string') {
    throw badRequest('invalidSyntax', 'Operations must have an op: add, replace or remove.');
  }
  const op = name.toLowerCase();
  if (op !== 'add' && op !== 'replace' && op !== 'remove') {
    throw badRequest('invalidSyntax', `Unknown op ${name}. Expected add, replace or remove.`);
  }
  const path = fieldOf(operation, 'path');
  const value = fieldOf(operation, 'value');
  if (path !== undefined && path !== null && typeof path !== 'string') {
    throw badRequest('invalidPath', 'Paths must be strings.');
  }
  if (op === 'remove' && !path) throw badRequest('noTarget', 'Remove operations must have a path.');
  if (op !== 'remove' && value === undefined)
    throw badRequest('invalidValue', `Operations with op ${op} must have a value.`);
  return { op, path: path || undefined, value, mayBeMissing: name !== op };
}

/** Target of an operation. */
export interface PatchPath {
  /** Undefined for attributes of the core schema. */
  extension: Extension | undefined;
  /** Empty for the whole extension. */
  attribute: string;
  filter: Filter | undefined;
  sub: string | undefined;
}

const ENTERPRISE_KEY = ENTERPRISE_SCHEMA.toLowerCase();
const BUILT_IN = [USER_SCHEMA, GROUP_SCHEMA, ENTERPRISE_SCHEMA].map((urn) => urn.toLowerCase());

/**
 * Parses a path (RFC 7644 §3.5.2, figure 7).
 * @param extensions the organisation's registered extensions
 * @throws ScimError invalidPath, invalidFilter
 */
export function parsePath(text: string, extensions: readonly Extension[] = []): PatchPath {
  const trimmed = text.trim();
  const lower = trimmed.toLowerCase();
  const registered = extensionAt(extensions, trimmed);
  const urn = BUILT_IN.find((known) => lower.startsWith(`${known}:`) || lower.startsWith(`${known}.`));
  const isEnterprise = lower === ENTERPRISE_KEY || urn === ENTERPRISE_KEY;
  const extension = isEnterprise ? ENTERPRISE : registered?.extension;
  const rest = registered?.rest ?? (urn === undefined ? trimmed : trimmed.slice(urn.length + 1));
  if (lower === extension?.urn.toLowerCase()) return { extension, attribute: '', filter: undefined, sub: undefined };
  const [, attribute, brackets, sub] = /^([\w$-]+)(?:\[(.*)\])?(?:\.([\w$-]+))?$/s.exec(rest) ?? [];
  if (attribute === undefined) throw badRequest('invalidPath', `${text} is not a valid path.`);
  const isShort = urn === undefined && findAttribute(ENTERPRISE_ATTRIBUTES, attribute) !== undefined;
  return {
    extension: extension ?? (isShort ? ENTERPRISE : undefined),
    attribute: canonicalName(attribute),
    filter: brackets === undefined ? undefined : parseFilter(brackets),
    sub: sub === undefined ? undefined : canonicalName(sub),
  };
}
