import { memberRepo, scimLogRepo } from '@orchestrate/db';
import { fieldOf, isObject, type Json, type JsonObject } from './json.ts';
import { userNameOf } from './resources/user-resource.ts';
import type { ScimAnswer, ScimRequest, Scope } from './scope.ts';

const BODY_MAX_LENGTH = 4_000;

/** Logs what was changed or refused; successful reads are not logged. */
export function logProvisioning(scope: Scope, request: ScimRequest, answer: ScimAnswer): void {
  if (request.method === 'GET' && answer.status < 400) return;
  const { deps, orgCode } = scope;
  const { detail } = answer.status >= 400 ? (answer.body ?? {}) : {};
  scimLogRepo.insertScimLog(deps.db, {
    orgCode,
    at: deps.clock.now(),
    operation: cut(`${request.method} ${request.path}`, 300),
    userName: cut(answer.about ?? aboutOf(scope, request), 254),
    status: answer.status,
    body: request.body ? cut(JSON.stringify(redacted(request.body)), BODY_MAX_LENGTH) : '',
    detail: cut(typeof detail === 'string' ? detail : '', 500),
  });
}

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

/** Whom a refused request was about: as the request says, else the person it names. */
function aboutOf({ deps, orgCode }: Scope, { path, body }: ScimRequest): string {
  const said = body && (fieldOf(body, 'userName') ?? fieldOf(body, 'displayName'));
  if (typeof said === 'string') return said;
  const [, endpoint, id] = path.split('/');
  const member = endpoint === 'Users' && id ? memberRepo.findMember(deps.db, orgCode, id) : undefined;
  return member ? userNameOf(member) : '';
}

const SECRET = /password|secret|token|credential/i;

/**
 * The object without values that nobody should read, wherever they are: under their name, or as the value of an
 * operation at their path.
 */
function redacted(object: JsonObject): JsonObject {
  const isAboutSecret = typeof object.path === 'string' && SECRET.test(object.path);
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      SECRET.test(name) || (isAboutSecret && name === 'value') ? '•••' : redactedValue(value),
    ]),
  );
}

function redactedValue(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((element) => redactedValue(element) ?? null);
  return isObject(value) ? redacted(value) : value;
}
