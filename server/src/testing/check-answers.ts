import { Ajv2020 } from 'ajv/dist/2020.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '#deps.ts';
import { isJsonType, openApiDocument } from '#features/reference/openapi-document.ts';
import { isJsonObject } from '#platform/contract-comments.ts';
import { ContractBroken } from '#platform/http/answers/contract-broken.ts';
import { patternOf } from '#platform/http/contract-routes.ts';
import { ENDPOINTS } from './contract-entries.ts';

const API = '/api';

/** An API response as sent by the server. */
export interface ApiResponse {
  method: string;
  /** Path pattern relative to `/api`, e.g. `/user/login/:loginId`. */
  path: string;
  status: number;
  /** Value of `Content-Type`. */
  type: string;
  /** Body; checked only if it is text. */
  payload: unknown;
}

/** Replaces every API response that isn't described in `/openapi.json` with a 500 listing the differences. */
export function checkResponses(app: FastifyInstance, { journal }: Deps): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const pattern = patternOf(request) ?? '';
    if (!pattern.startsWith(`${API}/`)) return;
    const path = pattern.slice(API.length);
    const type = String(reply.getHeader('content-type') ?? '');
    const difference = differenceOf({ method: request.method, path, status: reply.statusCode, type, payload });
    if (difference && !isOfTheLab(request)) throw new ContractBroken(difference);
  });

  /**
   * Exempts injected faults, which can return anything, and requests with `x-lab-ip`, which any path refuses if the
   * value is invalid.
   */
  const isOfTheLab = ({ url, headers }: FastifyRequest) =>
    headers['x-lab-ip'] !== undefined ||
    journal
      .entries({ kind: 'fault' })
      .some(({ raw }) => raw.kind === 'fault' && raw.path === decodeURI(url.split('?')[0] ?? ''));
}

/**
 * Returns how a response differs from the OpenAPI document. Returns undefined if it doesn't differ or the contract
 * has no such endpoint.
 */
export function differenceOf({ method, path, status, type, payload }: ApiResponse): string | undefined {
  const template = path.replaceAll(/:(\w+)/g, '{$1}');
  const responses = at(DOCUMENT, 'paths', template, method.toLowerCase(), 'responses');
  if (!isJsonObject(responses) || status === 302) return undefined;
  const key = String(status);
  const [media = ''] = type.split(';');
  const name = `${status} ${media} of ${method} ${path}`;
  if (!isJsonObject(at(responses, key, 'content', media))) return `The OpenAPI document does not describe ${name}.`;
  if (!isJsonType(media) || typeof payload !== 'string') return undefined;
  const isDescribed = ajv.getSchema(
    pointerTo(['paths', template, method.toLowerCase(), 'responses', key, 'content', media, 'schema']),
  );
  if (!isDescribed) return `${name} cannot be checked.`;
  const answer: unknown = JSON.parse(payload);
  if (isDescribed(answer)) return undefined;
  const result = at(answer, 'resultName') ?? at(answer, 'resultCode');
  return `${name} with ${result} differs from the OpenAPI document: ${ajv.errorsText(isDescribed.errors, { dataVar: 'it' })}.`;
}

function at(value: unknown, ...keys: string[]): unknown {
  return keys.reduce<unknown>((part, key) => (isJsonObject(part) ? part[key] : undefined), value);
}

/** Returns a JSON pointer into the document named `openapi`. */
export const pointerTo = (keys: readonly string[]): string => `openapi#/${keys.map(escaped).join('/')}`;

/** Escapes a key in a JSON pointer reference (RFC 6901 §3 and §6). */
const escaped = (key: string): string => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));

/** OpenAPI document of all endpoints, built once per process. */
const DOCUMENT = openApiDocument({ endpoints: ENDPOINTS }, 'http://localhost');
const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false });
ajv.addSchema(DOCUMENT, 'openapi');
