import { memberRepo } from '@orchestrate/db';
import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import { memberOf } from '../../core/members/member-of.ts';
import type { Deps } from '../../deps.ts';
import { implement } from '../../platform/http/implement.ts';
import { addUser } from './add-user.ts';
import { pageOfInvitations, resendInvitation, withdrawInvitation } from './invitations.ts';
import { checkInvitees, inviteUsers } from './invite-users.ts';
import { serveUploadProgress } from './live.ts';
import { createUploadProgress } from './upload-progress.ts';

/** Adding one person, inviting people by their addresses or by a file, and the invitations that are open. */
export function invite(app: FastifyInstance, deps: Deps): void {
  const progress = createUploadProgress(deps);

  implement(app, deps, contract.inviteUsers, ({ actor, body }) => inviteUsers(deps, { actor, ...body }));

  implement(app, deps, contract.checkInvitees, ({ caller, body }) => checkInvitees(deps, caller.orgCode, body));

  implement(app, deps, contract.bulkInvite, async ({ caller, actor, query, form: { sendEmail, ...form }, file }) => {
    const { bulkInvite } = await import('./bulk-invite.ts');
    return bulkInvite(deps, progress, { ...form, ...optionsOf({ ...query, sendEmail }), caller, actor, file });
  });

  implement(app, deps, contract.checkBulkInvite, async ({ caller, query, form: { sendEmail, ...form }, file }) => {
    const { checkFile } = await import('./check-file.ts');
    return checkFile(deps, { ...form, ...optionsOf({ ...query, sendEmail }), caller, file });
  });

  implement(app, deps, contract.addUser, ({ caller, actor, body }) => {
    const member = addUser(deps, { caller, actor }, body);
    const detail = memberRepo.findMemberDetail(deps.db, member);
    return { profile: memberOf(member, detail, caller, deps) };
  });

  implement(app, deps, contract.listInvitations, ({ caller, query }) => pageOfInvitations(deps, caller, query));

  implement(app, deps, contract.resendInvitation, ({ actor, body }) => resendInvitation(deps, actor, body));

  implement(app, deps, contract.withdrawInvitation, ({ caller, actor, body }) => {
    withdrawInvitation(deps, { caller, actor }, body);
    return {};
  });

  serveUploadProgress(app, deps, progress);
}

const optionsOf = <T extends { sendEmail: string; addNew: string }>({ sendEmail, addNew, ...others }: T) => ({
  ...others,
  sendEmail: sendEmail === 'true',
  addNew: addNew === 'true',
});
