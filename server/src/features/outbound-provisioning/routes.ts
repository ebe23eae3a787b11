import {
  groupRepo,
  memberRepo,
  outboundLogRepo,
  outboundMarkRepo,
  outboundPersonRepo,
  outboundTargetRepo,
} from '@orchestrate/db';
import * as contract from '@orchestrate/shared';
import { type ProvisioningCheck, type ProvisioningDelivery, SECOND } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { requireApplication } from '#core/applications.ts';
import type { Deps } from '#deps.ts';
import { requirePermission } from '#platform/http/callers/permissions.ts';
import { implement } from '#platform/http/implement.ts';
import { readPageKey } from '#platform/http/requests/page-key.ts';
import { TOPIC } from '#platform/live/bus.ts';
import { Refusal } from '#platform/refusal.ts';
import { askService, type Service, type ServiceResponse } from '#protocols/scim/client/ask-service.ts';
import { serviceOf } from '#protocols/scim/client/bring-up-to-date.ts';
import { LEASE_MS, sendPerson } from '#protocols/scim/client/send-people.ts';
import { detailOf, tooLargeMessage, whyNoResponse } from '#protocols/scim/client/sentences.ts';
import { type DesiredState, desiredGroupState, desiredMemberState } from '#protocols/scim/client/wanted.ts';
import { isObject } from '#protocols/scim/json.ts';
import { deliveryOf, provisioningOf, sendableAttributes } from './provisioning-of.ts';
import { deleteTarget, requireTarget, resendAll, saveTarget, targetOf } from './write-target.ts';

const TIMEOUT_MS = 15 * SECOND;

/**
 * Reads a SCIM service's features (RFC 7644 §4) and searches for a user that can't exist, without writing anything.
 * @param changesBy method of writing changes, which the service must support
 */
async function testService(
  { outsidePolicy, random }: Pick<Deps, 'outsidePolicy' | 'random'>,
  service: Service,
  changesBy: 'put' | 'patch',
): Promise<ProvisioningCheck[]> {
  const userName = `nobody-${random.id()}@orchestrate.invalid`;
  const filter = encodeURIComponent(`userName eq "${userName}"`);

  async function check(
    name: string,
    path: string,
    judge: (answer: ServiceResponse) => Pick<ProvisioningCheck, 'ok' | 'message'>,
  ): Promise<ProvisioningCheck> {
    const answer = await askService(outsidePolicy, service, { method: 'GET', path, timeoutMs: TIMEOUT_MS });
    if ('reason' in answer) return { name, path, status: null, ok: false, message: whyNoResponse(answer) };
    const { status } = answer;
    if (answer.isTooLarge) return { name, path, status, ok: false, message: tooLargeMessage(status) };
    if (status === 200) return { name, path, status, ...judge(answer) };
    const why = status === 401 ? 'The service rejected the credentials' : 'Expected a response with status 200';
    return { name, path, status, ok: false, message: `${why}${detailOf(answer)}` };
  }

  return [
    await check('Supported features', '/ServiceProviderConfig', ({ body }) => {
      if (!isObject(body)) return { ok: false, message: "The response isn't JSON" };
      const hasPatch = isObject(body.patch) && body.patch.supported === true;
      if (changesBy === 'put' || hasPatch)
        return { ok: true, message: 'The service supports everything the portal needs' };
      return { ok: false, message: "The service doesn't support PATCH. Use PUT for changes." };
    }),
    await check('Search for an unknown user', `/Users?filter=${filter}`, ({ body }) => {
      const total = isObject(body) ? body.totalResults : undefined;
      if (total === 0) return { ok: true, message: 'No user was found, as expected' };
      if (typeof total === 'number')
        return { ok: false, message: `Found ${total} users, because the service ignores the filter` };
      return { ok: false, message: "The response isn't a SCIM list, because totalResults is missing" };
    }),
  ];
}

/**
 * Sends a person or a group immediately, even if unchanged.
 * @returns null if there was nothing to send or it is already being sent
 * @throws Refusal as in `requireTarget`; ID_DOESNOT_EXIST if the ID is unknown; INVALID_REQUEST if provisioning is
 * off
 */
async function resendPerson(
  deps: Deps,
  app: outboundTargetRepo.AppKey,
  whom: outboundPersonRepo.PersonOrGroup,
): Promise<ProvisioningDelivery | null> {
  const { db, clock, bus } = deps;
  const { orgCode, appId } = app;
  const { enabled, sendGroups } = requireTarget(db, orgCode, appId);
  if (!enabled) throw new Refusal('INVALID_REQUEST', { message: 'Turn on provisioning first.' });
  if (!isThere()) throw new Refusal('ID_DOESNOT_EXIST');
  const now = clock.now();
  const claimed = db.transaction((tx) => {
    if ('suid' in whom) outboundMarkRepo.markPerson(tx, app, whom.suid, now);
    else outboundMarkRepo.markGroup(tx, app, whom.groupId, now);
    return outboundPersonRepo.claimPerson(tx, app, whom, { now, leaseMs: LEASE_MS });
  });
  if (!claimed) return null;
  const settle = await sendPerson(deps, { ...claimed, sent: null });
  const number = settle();
  // Wake the sender, because other changes may have arrived in the meantime.
  bus.changed(TOPIC.provisioning);
  const [sent] = number === null ? [] : outboundLogRepo.listLog(db, app, { atMost: 1, number });
  return sent ? deliveryOf(sent) : null;

  function isThere(): boolean {
    if ('suid' in whom) return memberRepo.findMember(db, orgCode, whom.suid) !== undefined;
    const isKnown = outboundPersonRepo.findPerson(db, app, whom) !== undefined;
    return isKnown || (sendGroups && groupRepo.findGroup(db, orgCode, whom.groupId) !== undefined);
  }
}

const deliveryKey = z.object({ id: z.string().regex(/^\d{1,15}$/) });

/** Returns the resource to send, or null if there is nothing to send. */
const sentOf = (wanted: DesiredState, { remoteId }: { remoteId: string | null }) =>
  !wanted.isGone && (wanted.mayBegin || remoteId !== null) ? wanted.resource : null;

/** Serves outbound provisioning: the SCIM services that receive each application's members. */
export function outboundProvisioning(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  implement(app, deps, contract.getAppProvisioning, ({ caller: { orgCode }, params: { appId } }) => {
    requireApplication(db, orgCode, appId);
    const target = outboundTargetRepo.findTarget(db, orgCode, appId);
    return {
      provisioning: target ? provisioningOf(deps, target) : null,
      attributes: sendableAttributes(db, orgCode),
    };
  });

  implement(app, deps, contract.saveAppProvisioning, ({ actor, params: { appId }, body, version }) => ({
    provisioning: provisioningOf(deps, saveTarget(deps, actor, appId, body, version)),
  }));

  implement(app, deps, contract.deleteAppProvisioning, ({ actor, params: { appId } }) => {
    deleteTarget(deps, actor, appId);
    return {};
  });

  implement(app, deps, contract.testAppProvisioning, async ({ caller: { orgCode }, params: { appId }, body }) => {
    requireApplication(db, orgCode, appId);
    const target = targetOf(deps, body, outboundTargetRepo.findTarget(db, orgCode, appId));
    const checks = await testService(deps, serviceOf(target), target.changesBy);
    return { ok: checks.every(({ ok }) => ok), checks };
  });

  implement(
    app,
    deps,
    contract.previewAppProvisioning,
    ({ caller, params: { appId }, query: { groupId, suid = caller.suid } }) => {
      const { orgCode } = caller;
      if (groupId !== undefined) return { resource: previewGroup(orgCode, appId, groupId) };
      if (suid !== caller.suid) requirePermission(caller, 'SEARCH_USER');
      const application = requireApplication(db, orgCode, appId);
      const target = requireTarget(db, orgCode, appId);
      const member = memberRepo.findMember(db, orgCode, suid);
      if (!member) throw new Refusal('ID_DOESNOT_EXIST');
      const known = outboundPersonRepo.findPerson(db, target, { suid }) ?? { remoteId: null, sent: null };
      const wanted = desiredMemberState(db, member, application, target, known);
      return { resource: sentOf(wanted, known) };
    },
  );

  function previewGroup(orgCode: string, appId: string, groupId: string) {
    const target = requireTarget(db, orgCode, appId);
    if (!groupRepo.findGroup(db, orgCode, groupId)) throw new Refusal('ID_DOESNOT_EXIST');
    const known = outboundPersonRepo.findPerson(db, target, { groupId }) ?? { remoteId: null, sent: null };
    return sentOf(desiredGroupState(db, groupId, target, known), known);
  }

  implement(app, deps, contract.sendAllProvisioning, ({ caller: { orgCode }, params: { appId } }) => ({
    provisioning: provisioningOf(deps, resendAll(deps, orgCode, appId)),
  }));

  implement(app, deps, contract.resendProvisionedPerson, async ({ caller: { orgCode }, params: { appId, suid } }) => ({
    delivery: await resendPerson(deps, { orgCode, appId }, { suid }),
  }));

  implement(
    app,
    deps,
    contract.resendProvisionedGroup,
    async ({ caller: { orgCode }, params: { appId, groupId } }) => ({
      delivery: await resendPerson(deps, { orgCode, appId }, { groupId }),
    }),
  );

  implement(app, deps, contract.listProvisioningDeliveries, ({ caller: { orgCode }, params: { appId }, query }) => {
    const { status, pageSize, lastItem } = query;
    requireApplication(db, orgCode, appId);
    const before = lastItem === undefined ? undefined : Number(readPageKey(deliveryKey, lastItem).id);
    const found = outboundLogRepo.listLog(db, { orgCode, appId }, { atMost: pageSize + 1, before, status });
    const page = found.slice(0, pageSize);
    const last = found.length > pageSize ? page.at(-1) : undefined;
    return { Items: page.map(deliveryOf), LastEvaluatedKey: last ? { id: String(last.number) } : null };
  });
}
