import { isDeepStrictEqual } from 'node:util';
import type { outboundLogRepo, outboundPersonRepo, outboundTargetRepo } from '@orchestrate/db';
import { readJson, SECOND } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { BUSY_STATUSES, readRetryAfter } from '#platform/live/next-delivery-attempt.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { askService, basic, bearer, type NoResponse, type Service, type ServiceResponse } from './ask-service.ts';
import { groupChanges, MEMBERS_PER_REQUEST, membersOf, withMembers } from './group-changes.ts';
import { patchBody } from './patch-body.ts';
import { detailOf, tooLargeMessage, whyNoResponse } from './sentences.ts';
import type { DesiredState } from './wanted.ts';

const TIMEOUT_MS = 15 * SECOND;
/** Maximum length of a logged response, in characters. */
const SHOWN_CHARACTERS = 1_000;
/** Maximum length of a logged request body, in characters. Larger, because a group can have many members. */
const BODY_SHOWN_CHARACTERS = 20_000;
/** Maximum number of requests per attempt to change a group. The next attempt continues. */
const GROUP_WRITES_AT_ONCE = 4;
/** Statuses from services that don't support PATCH or reject this operation. */
const REFUSES_PATCH: readonly number[] = [400, 405, 501];

/** Differences between users and groups: endpoint, search attribute and name. */
const KINDS = {
  person: { endpoint: '/Users', foundBy: ['userName', 'externalId'], noun: 'person', like: 'somebody' },
  group: { endpoint: '/Groups', foundBy: ['externalId', 'displayName'], noun: 'group', like: 'a group' },
} as const;

/**
 * How far a failure extends: this resource, temporarily (`later`) or permanently (`refused`); or the whole service,
 * temporarily (`busy`) or until an administrator fixes it (`stop`).
 */
export type FailureScope = 'later' | 'refused' | 'busy' | 'stop';

export interface Outcome {
  /** The operation, or null if nothing had to be sent. */
  operation: outboundLogRepo.LogRow['operation'] | null;
  failure: FailureScope | null;
  /** Error message. */
  error: string;
  /** Retry-After sent by the service, in milliseconds. */
  retryAfterMs: number;
  /** True if more requests must follow immediately. */
  isUnfinished: boolean;
  /** The resource's ID at the service after the attempt, or null if the service doesn't have it. */
  remoteId: string | null;
  /** The resource as last sent, or null if unknown. */
  sent: JsonObject | null;
  requests: outboundLogRepo.ProvisioningRequest[];
}

/** Returns the URL and credentials of a target service. */
export const serviceOf = ({
  url,
  authentication,
  username,
  secret,
}: Pick<outboundTargetRepo.TargetRow, 'url' | 'authentication' | 'username' | 'secret'>): Service => ({
  url,
  authorization: authentication === 'bearer' ? bearer(secret) : basic(username, secret),
});

/** Thrown for a response that ends the attempt. */
class Failed extends Error {
  readonly failure: FailureScope;
  readonly retryAfterMs: number;

  constructor(failure: FailureScope, message: string, retryAfterMs = 0) {
    super(message);
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Updates a person or group at a SCIM service (RFC 7644). Searches before creating a resource, reuses an existing
 * resource, sends only differences, and recreates a lost resource. Never throws.
 */
export async function bringUpToDate(
  { outsidePolicy, clock }: Pick<Deps, 'outsidePolicy' | 'clock'>,
  target: Parameters<typeof serviceOf>[0] & Pick<outboundTargetRepo.TargetRow, 'changesBy'>,
  known: Pick<outboundPersonRepo.PersonRow, 'groupId' | 'remoteId' | 'sent'>,
  wanted: DesiredState,
): Promise<Outcome> {
  const service = serviceOf(target);
  const requests: Outcome['requests'] = [];
  const sent = readJson(known.sent);
  const isGroup = known.groupId !== null;
  const { endpoint, foundBy, noun, like } = KINDS[isGroup ? 'group' : 'person'];
  const at = (remoteId: string) => `${endpoint}/${encodeURIComponent(remoteId)}`;
  const now: Pick<Outcome, 'operation' | 'isUnfinished' | 'remoteId' | 'sent'> = {
    operation: null,
    isUnfinished: false,
    remoteId: known.remoteId,
    sent: isObject(sent) ? sent : null,
  };

  async function ask(method: string, path: string, json?: JsonObject): Promise<ServiceResponse> {
    const body = json && JSON.stringify(json);
    const answer = await askService(outsidePolicy, service, { method, path, body, timeoutMs: TIMEOUT_MS });
    requests.push(shown(method, path, body, answer));
    if ('reason' in answer) throw new Failed('busy', whyNoResponse(answer));
    const { status, retryAfter } = answer;
    if (status === 401) throw new Failed('stop', `The service rejected the credentials (401)${detailOf(answer)}`);
    if (BUSY_STATUSES.includes(status)) {
      throw new Failed(
        'busy',
        `The service is busy (${status})${detailOf(answer)}`,
        readRetryAfter(retryAfter, clock.toExternalTime()),
      );
    }
    if ((status >= 500 && status !== 501) || status === 408)
      throw new Failed('later', `The service failed (${status})${detailOf(answer)}`);
    if (method !== 'POST' && isAccepted(answer) && answer.isTooLarge)
      throw new Failed('later', tooLargeMessage(status));
    // A successful response without readable JSON is a proxy's page, such as a sign-in page, so try again later. For
    // creations, `create` searches for the resource instead.
    if (method !== 'POST' && isAccepted(answer) && !isReadable(answer))
      throw new Failed('later', `The service didn't respond with JSON (${status})`);
    return answer;
  }

  const isAccepted = ({ status }: ServiceResponse) => status >= 200 && status <= 299;
  const isReadable = ({ text, body }: ServiceResponse) => text.trim() === '' || isObject(body);
  const refused = (answer: ServiceResponse) =>
    new Failed('refused', `The service rejected the request (${answer.status})${detailOf(answer)}`);

  async function remove(remoteId: string): Promise<void> {
    now.operation = 'delete';
    const answer = await ask('DELETE', at(remoteId));
    if (!isAccepted(answer) && answer.status !== 404) throw refused(answer);
    now.remoteId = null;
    now.sent = null;
  }

  /** Records the resource as sent. @returns false if the service no longer has it */
  function isThere(answer: ServiceResponse, resource: JsonObject): boolean {
    if (answer.status === 404) return false;
    if (!isAccepted(answer)) throw refused(answer);
    now.sent = resource;
    return true;
  }

  const writeWhole = async (remoteId: string, resource: JsonObject) =>
    isThere(await ask('PUT', at(remoteId), { ...resource, id: remoteId }), resource);

  /**
   * Writes a person or group to the service.
   * @returns false if the service no longer has the person or group
   */
  async function write(remoteId: string, resource: JsonObject): Promise<boolean> {
    if (isGroup) return writeGroup(remoteId, resource);
    if (target.changesBy === 'put') return writeWhole(remoteId, resource);
    return isThere(await ask('PATCH', at(remoteId), patchBody(now.sent ?? {}, resource)), resource);
  }

  /**
   * Adds and removes members in batches, regardless of the method configured for people, because groups may have
   * thousands of members.
   */
  async function writeGroup(remoteId: string, resource: JsonObject): Promise<boolean> {
    const isSmall = membersOf(resource).length <= MEMBERS_PER_REQUEST;
    if (target.changesBy === 'put' && isSmall) return writeWhole(remoteId, resource);
    const before = now.sent ?? (await readGroup(remoteId));
    if (!before) return false;
    const changes = groupChanges(before, resource);
    for (const { body, after } of changes.slice(0, GROUP_WRITES_AT_ONCE)) {
      const answer = await ask('PATCH', at(remoteId), body);
      if (REFUSES_PATCH.includes(answer.status)) return writeWhole(remoteId, resource);
      if (!isThere(answer, after)) return false;
    }
    now.isUnfinished = changes.length > GROUP_WRITES_AT_ONCE;
    if (!now.isUnfinished) now.sent = resource;
    return true;
  }

  /** Reads a group from the service. Returns undefined if the service doesn't have it. */
  async function readGroup(remoteId: string): Promise<JsonObject | undefined> {
    const answer = await ask('GET', at(remoteId));
    if (answer.status === 404) return undefined;
    if (!isAccepted(answer) || !isObject(answer.body)) throw refused(answer);
    const { externalId, displayName } = answer.body;
    return withMembers({ externalId: externalId ?? null, displayName: displayName ?? null }, membersOf(answer.body));
  }

  async function adopt(remoteId: string, resource: JsonObject): Promise<void> {
    now.operation = 'adopt';
    now.remoteId = remoteId;
    now.sent = null;
    if (await write(remoteId, resource)) return;
    now.remoteId = null;
    throw new Failed('later', `The service lists the ${noun} but can't find it by its ID (404)`);
  }

  async function look(attribute: string, value: Json | undefined): Promise<string | undefined> {
    const filter = `${attribute} eq ${JSON.stringify(value ?? '')}`;
    const without = isGroup ? 'excludedAttributes=members&' : '';
    const answer = await ask('GET', `${endpoint}?${without}filter=${encodeURIComponent(filter)}`);
    return isAccepted(answer) ? onlyIdIn(answer.body, attribute, value) : undefined;
  }

  const find = async (resource: JsonObject) =>
    (await look(foundBy[0], resource[foundBy[0]])) ?? (await look(foundBy[1], resource[foundBy[1]]));

  async function create(resource: JsonObject): Promise<void> {
    const known = await find(resource);
    if (known !== undefined) return adopt(known, resource);
    now.operation = 'create';
    const first = isGroup ? withMembers(resource, membersOf(resource).slice(0, MEMBERS_PER_REQUEST)) : resource;
    const answer = await ask('POST', endpoint, first);
    const isThereAlready = answer.status === 409;
    if (!isThereAlready && !isAccepted(answer)) throw refused(answer);
    const id = isThereAlready ? undefined : idIn(answer.body);
    if (id === undefined) {
      const found = await find(resource);
      if (found !== undefined) return adopt(found, resource);
      const why = isThereAlready
        ? `The service already has ${like} like this, but can't find ${isGroup ? 'it' : 'them'} (409)${detailOf(answer)}`
        : `The service created the ${noun} but didn't return its ID`;
      throw new Failed('refused', why);
    }
    now.remoteId = id;
    now.sent = first;
    if (!isDeepStrictEqual(first, resource)) await write(id, resource);
  }

  async function work(): Promise<void> {
    if (wanted.isGone) {
      if (now.remoteId !== null) await remove(now.remoteId);
      return;
    }
    const { resource, mayBegin } = wanted;
    if (now.remoteId !== null) {
      if (isDeepStrictEqual(now.sent, resource)) return;
      now.operation = operationOf(now.sent, resource);
      if (await write(now.remoteId, resource)) return;
      now.remoteId = null;
      now.sent = null;
    }
    if (mayBegin) await create(resource);
  }

  try {
    await work();
    return { ...now, failure: null, error: '', retryAfterMs: 0, requests };
  } catch (reason) {
    if (!(reason instanceof Failed)) throw reason;
    const operation = now.operation ?? 'create';
    return {
      ...now,
      operation,
      failure: reason.failure,
      error: reason.message,
      retryAfterMs: reason.retryAfterMs,
      requests,
    };
  }
}

function operationOf(before: JsonObject | null, after: JsonObject): 'update' | 'activate' | 'deactivate' {
  if (before?.active === after.active) return 'update';
  if (after.active === false) return 'deactivate';
  return before ? 'activate' : 'update';
}

/** Returns the ID of the only search result, provided it matches the search, because some services ignore filters. */
function onlyIdIn(body: unknown, attribute: string, value: Json | undefined): string | undefined {
  const found = isObject(body) && Array.isArray(body.Resources) ? body.Resources : [];
  const fits = found.filter(
    (one) => isObject(one) && String(one[attribute]).toLowerCase() === String(value).toLowerCase(),
  );
  return idIn(fits[0]);
}

function idIn(body: unknown): string | undefined {
  const { id } = isObject(body) ? body : {};
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function shown(method: string, path: string, body: string | undefined, answer: ServiceResponse | NoResponse) {
  const received = 'reason' in answer ? { status: null, answer: '' } : { status: answer.status, answer: answer.text };
  return {
    method,
    path,
    body: (body ?? '').slice(0, BODY_SHOWN_CHARACTERS),
    status: received.status,
    answer: received.answer.slice(0, SHOWN_CHARACTERS),
    durationMs: answer.durationMs,
  };
}
