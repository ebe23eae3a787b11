import {
  groupRepo,
  memberRepo,
  provisionedPersonRepo,
  provisioningLogRepo,
  provisioningTargetRepo,
} from '@orchestrate/db';
import * as contract from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { requireApplication } from '../../core/require-application.ts';
import type { Deps } from '../../deps.ts';
import { requirePermission } from '../../platform/http/callers/permissions.ts';
import { implement } from '../../platform/http/implement.ts';
import { readPageKey } from '../../platform/http/requests/page-key.ts';
import { Refusal } from '../../platform/refusal.ts';
import { serviceOf } from '../../protocols/scim/client/bring-up-to-date.ts';
import { tryService } from '../../protocols/scim/client/try-service.ts';
import { type Wanted, wantedOf, wantedOfGroup } from '../../protocols/scim/client/wanted.ts';
import { deliveryOf, offeredAttributes, provisioningOf } from './provisioning-of.ts';
import { resendPerson } from './resend-person.ts';
import { deleteTarget, requireTarget, saveTarget, sendEverybody, targetOf } from './write-target.ts';

const deliveryKey = z.object({ id: z.string().regex(/^\d{1,15}$/) });

/** What is sent, where anything is. */
const sentOf = (wanted: Wanted, { remoteId }: { remoteId: string | null }) =>
  !wanted.isGone && (wanted.mayBegin || remoteId !== null) ? wanted.resource : null;

/** The SCIM services to which the people of applications are sent. */
export function appProvisioning(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;

  implement(app, deps, contract.getAppProvisioning, ({ caller: { orgCode }, params: { appId } }) => {
    requireApplication(db, orgCode, appId);
    const target = provisioningTargetRepo.findTarget(db, orgCode, appId);
    return {
      provisioning: target ? provisioningOf(deps, target) : null,
      attributes: offeredAttributes(db, orgCode),
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
    const target = targetOf(deps, body, provisioningTargetRepo.findTarget(db, orgCode, appId));
    const checks = await tryService(deps, serviceOf(target), target.changesBy);
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
      const known = provisionedPersonRepo.findPerson(db, target, { suid }) ?? { remoteId: null, sent: null };
      const wanted = wantedOf(db, member, application, target, known);
      return { resource: sentOf(wanted, known) };
    },
  );

  function previewGroup(orgCode: string, appId: string, groupId: string) {
    const target = requireTarget(db, orgCode, appId);
    if (!groupRepo.findGroup(db, orgCode, groupId)) throw new Refusal('ID_DOESNOT_EXIST');
    const known = provisionedPersonRepo.findPerson(db, target, { groupId }) ?? { remoteId: null, sent: null };
    return sentOf(wantedOfGroup(db, groupId, target, known), known);
  }

  implement(app, deps, contract.sendAllProvisioning, ({ caller: { orgCode }, params: { appId } }) => ({
    provisioning: provisioningOf(deps, sendEverybody(deps, orgCode, appId)),
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
    const found = provisioningLogRepo.listLog(db, { orgCode, appId }, { atMost: pageSize + 1, before, status });
    const page = found.slice(0, pageSize);
    const last = found.length > pageSize ? page.at(-1) : undefined;
    return { Items: page.map(deliveryOf), LastEvaluatedKey: last ? { id: String(last.number) } : null };
  });
}
