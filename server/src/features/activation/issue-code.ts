import { activationCodeRepo, deviceRepo, type memberRepo } from '@orchestrate/db';
import { type ActivationData, type AppType, LIMITS, type ResultName, SECOND } from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import { appPermissionObstacle, requireNone } from '../../devices/device-admission.ts';
import { TOPIC } from '../../live/bus.ts';
import { writeMessage } from '../../mails/write-message.ts';
import { activationDataOf } from '../../models/activation-data.ts';

export interface IssueRequest {
  member: memberRepo.MemberRow;
  type: AppType;
  sendEmail: boolean;
}

/**
 * Issues an activation code in place of the last one, and mails it where asked to.
 * @throws Refusal 21 deleted; 35 disabled; 88, 57 the person may not use this app; 30 a mobile code for somebody whose
 * mobile device is active
 */
export function issueCode(deps: Deps, { member, type, sendEmail }: IssueRequest): ActivationData {
  const { db, clock, random, bus } = deps;
  const { orgCode, suid } = member;
  const now = clock.now();
  const expiresAt = now + LIMITS.activationCodeLifetimeSeconds * SECOND;
  const issued = { orgCode, suid, type, code: random.digits(LIMITS.activationCodeLength), expiresAt, issuedAt: now };
  db.transaction(
    (tx) => {
      const hasMobile = deviceRepo.hasActiveDevice(tx, orgCode, suid, ['mobile']);
      requireNone(obstacleOf(member, type, hasMobile));
      activationCodeRepo.issueActivationCode(tx, issued);
      if (!sendEmail) return;
      const facts = { firstName: member.firstName, type, code: issued.code, expiresAt };
      writeMessage(deps, tx, { orgCode, to: member.primaryEmail, template: 'activation-code', facts });
    },
    { behavior: 'immediate' },
  );
  if (sendEmail) bus.changed(TOPIC.outbox);
  return activationDataOf({ ...issued, wrongTries: 0, usedAt: null }, now, true);
}

function obstacleOf(member: memberRepo.MemberRow, type: AppType, hasMobile: boolean): ResultName | undefined {
  if (member.accountStatus === 'deleted') return 'ID_DOESNOT_EXIST';
  if (member.accountStatus === 'inactive') return 'USER_INACTIVE';
  if (type === 'mobile' && hasMobile) return 'USER_ALREADY_ACTIVE';
  return appPermissionObstacle(type, member);
}
