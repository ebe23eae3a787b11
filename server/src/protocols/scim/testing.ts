import { scimCredentialsRepo } from '@orchestrate/db';
import request, { type Response } from 'supertest';
import type { TestPortal } from '#testing/test-portal.ts';
import { ENTERPRISE_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from './attributes.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

/** A response to a directory's request. */
export interface DirectoryReply {
  status: number;
  headers: Record<string, string>;
  /** Response body; {} if empty. */
  body: JsonObject;
  /** `id` of the returned resource. */
  id: string;
  /** `Resources` of a list response. */
  found: JsonObject[];
}

/** An HTTP client with the credentials of an organisation's directory. */
export interface Directory {
  send(method: string, path: string, body?: Json, headers?: Record<string, string>): Promise<DirectoryReply>;
  get(path: string, headers?: Record<string, string>): Promise<DirectoryReply>;
  filter(resource: 'Users' | 'Groups', filter: string, more?: string): Promise<DirectoryReply>;
  patch(path: string, operations: Json[], headers?: Record<string, string>): Promise<DirectoryReply>;
}

export const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

export function directoryOf({ url, deps }: TestPortal, orgCode = 'acme', authorization?: string): Directory {
  const { username = '', password = '' } = scimCredentialsRepo.findScimCredentials(deps.db, orgCode) ?? {};
  const basic = authorization ?? `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

  async function send(method: string, path: string, body?: Json, headers: Record<string, string> = {}) {
    const sending = new request.Test(url, method, `/scim/v2/${orgCode}${path}`);
    if (basic !== '') sending.set('authorization', basic);
    if (body !== undefined) {
      sending.type('application/scim+json').send(typeof body === 'string' ? body : JSON.stringify(body));
    }
    return replyOf(await sending.set(headers));
  }
  return {
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    filter: (resource, filter, more = '') =>
      send('GET', `/${resource}?filter=${encodeURIComponent(filter)}${more && `&${more}`}`),
    patch: (path, Operations, headers) => send('PATCH', path, { schemas: [PATCH_OP], Operations }, headers),
  };
}

function replyOf({ status, headers, body: parsed }: Response): DirectoryReply {
  const body = isObject(parsed) ? parsed : {};
  const { id, Resources: found } = body;
  return {
    status,
    headers,
    body,
    id: typeof id === 'string' ? id : '',
    found: Array.isArray(found) ? found.filter(isObject) : [],
  };
}

/** Returns a user resource. */
export const userWith = (input: JsonObject): JsonObject => ({ schemas: [USER_SCHEMA, ENTERPRISE_SCHEMA], ...input });

/** Returns a group resource. */
export const groupWith = (input: JsonObject): JsonObject => ({ schemas: [GROUP_SCHEMA], ...input });
