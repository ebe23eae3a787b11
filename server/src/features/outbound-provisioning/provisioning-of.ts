import { type outboundLogRepo, outboundPersonRepo, type outboundTargetRepo, type Tx } from '@orchestrate/db';
import type { AppProvisioning, ProvisioningDelivery } from '@orchestrate/shared';
import type { Deps } from '#deps.ts';
import { versionOf } from '#platform/http/versions.ts';
import { isoOf } from '#platform/times.ts';
import { extensionsOf } from '#protocols/scim/extensions.ts';

type Target = outboundTargetRepo.TargetRow;

/** Returns a service's editable fields, without its secret. */
export const editableTargetFields = ({
  url,
  authentication,
  username,
  enabled,
  changesBy,
  withoutAccess,
  sendManagers,
  sendRoles,
  sendAttributes,
  sendGroups,
}: Target) => ({
  url,
  authentication,
  username,
  enabled,
  changesBy,
  withoutAccess,
  sendManagers,
  sendRoles,
  sendAttributes,
  sendGroups,
});

/** Returns the attributes from the organisation's registered schemas that can be sent, with their schema's name. */
export const sendableAttributes = (tx: Tx, orgCode: string): { name: string; schema: string }[] =>
  extensionsOf(tx, orgCode).flatMap(({ urn, name: schema, attributes }) =>
    attributes.map(({ name }) => ({ name: `${urn}:${name}`, schema })),
  );

/** Returns an application's service for the API. */
export function provisioningOf({ db, clock }: Pick<Deps, 'db' | 'clock'>, target: Target): AppProvisioning {
  const { createdAt, stoppedAt, stopReason, pausedUntil } = target;
  const isPaused = pausedUntil !== null && pausedUntil > clock.now();
  return {
    ...editableTargetFields(target),
    createdAt: isoOf(createdAt),
    stoppedAt: isoOf(stoppedAt),
    stopReason,
    pausedUntil: isPaused ? isoOf(pausedUntil) : null,
    ...outboundPersonRepo.countPeople(db, target),
    version: versionOf(editableTargetFields(target)),
  };
}

/** Returns a log entry for the API. */
export function deliveryOf({
  number,
  at,
  firstName,
  lastName,
  nextAttemptAt,
  ...row
}: outboundLogRepo.LoggedDelivery): ProvisioningDelivery {
  const { suid, groupId, groupName, operation, status, attempts, error, requests } = row;
  return {
    id: String(number),
    suid,
    groupId,
    name: suid === null ? groupName : `${firstName ?? ''} ${lastName ?? ''}`.trim(),
    operation,
    status,
    attempts,
    at: isoOf(at),
    nextAttemptAt: status === 'waiting' ? isoOf(nextAttemptAt) : null,
    error,
    requests,
  };
}
