import { Ajv2020 } from 'ajv/dist/2020.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '#deps.ts';
import { isJson } from '#features/reference/json-schema-of.ts';
import { isJsonType, openApiDocument } from '#features/reference/openapi-document.ts';
import { ContractBroken } from '#platform/http/answers/contract-broken.ts';
import { patternOf } from '#platform/http/contract-routes.ts';
import { ENDPOINTS } from './contract-entries.ts';

const API = '/api';

/** A response of the API as sent by the server. */
export interface Answered {
  method: string;
  /** Pattern of its path below `/api`, e.g. `/user/login/:loginId`. */
  path: string;
  status: number;
  /** Its `Content-Type`. */
  type: string;
  /** Body; only checked if it is text. */
  payload: unknown;
}

/** Turns every API response that `/openapi.json` doesn't describe into a 500 with the differences. */
export function checkAnswers(app: FastifyInstance, { journal }: Deps): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const pattern = patternOf(request) ?? '';
    if (!pattern.startsWith(`${API}/`)) return;
    const path = pattern.slice(API.length);
    const type = String(reply.getHeader('content-type') ?? '');
    const difference = differenceOf({ method: request.method, path, status: reply.statusCode, type, payload });
    if (difference && !isOfTheLab(request)) throw new ContractBroken(difference);
  });

  /** Tests may inject anything, and a wrong `x-lab-ip` is refused at every path. */
  const isOfTheLab = ({ url, headers }: FastifyRequest) =>
    headers['x-lab-ip'] !== undefined ||
    journal
      .entries({ kind: 'fault' })
      .some(({ raw }) => raw.kind === 'fault' && raw.path === decodeURI(url.split('?')[0] ?? ''));
}

/** Returns how a response differs from the document; undefined if it doesn't, or has no endpoint in the contract. */
export function differenceOf({ method, path, status, type, payload }: Answered): string | undefined {
  const template = path.replaceAll(/:(\w+)/g, '{$1}');
  const responses = at(DOCUMENT, 'paths', template, method.toLowerCase(), 'responses');
  if (!isJson(responses) || status === 302) return undefined;
  const key = String(status);
  const [media = ''] = type.split(';');
  const name = `${status} ${media} of ${method} ${path}`;
  if (!isJson(at(responses, key, 'content', media))) return `The document does not describe ${name}.`;
  if (!isJsonType(media) || typeof payload !== 'string') return undefined;
  const isDescribed = ajv.getSchema(
    pointerTo(['paths', template, method.toLowerCase(), 'responses', key, 'content', media, 'schema']),
  );
  if (!isDescribed) return `${name} cannot be checked.`;
  const answer: unknown = JSON.parse(payload);
  if (isDescribed(answer)) return undefined;
  const result = at(answer, 'resultName') ?? at(answer, 'resultCode');
  return `The document describes ${name} with ${result} differently: ${ajv.errorsText(isDescribed.errors, { dataVar: 'it' })}.`;
}

function at(value: unknown, ...keys: string[]): unknown {
  return keys.reduce<unknown>((part, key) => (isJson(part) ? part[key] : undefined), value);
}

/** Returns a reference to a part of the document named `openapi`. */
export const pointerTo = (keys: readonly string[]): string => `openapi#/${keys.map(escaped).join('/')}`;

/** Escapes a key in a JSON pointer reference (RFC 6901 §3 and §6). */
const escaped = (key: string): string => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));

/** The document of all endpoints, built once per process. */
const DOCUMENT = openApiDocument({ endpoints: ENDPOINTS }, 'http://localhost');
const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false });
ajv.addSchema(DOCUMENT, 'openapi');
