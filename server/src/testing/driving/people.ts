import * as contract from '@orchestrate/shared';
import { memberByEmail, setMember } from '../device.ts';
import { type Driver, NEWCOMER, NO_CREDENTIALS, USER, type Write } from './driver.ts';

const ADDED = { firstName: 'Nia', lastName: 'Okafor', primaryEmail: 'nia.okafor@acme.test', primaryAttr: 'E-90001' };

/** Returns writes that change people: profiles, email addresses, invitations and activation codes. */
export function peopleWrites(driver: Driver): Write[] {
  const { portal, send, write, suidOf, newcomer, lastCode } = driver;
  const { db } = portal.deps;

  const own = () => {
    const { primaryAttr, firstName, lastName } = memberByEmail(portal, 'acme', USER);
    return { primaryAttr, firstName, lastName };
  };
  const change = async () => {
    await send(contract.updateUser, { body: { ...own(), primaryEmail: 'new.me@acme.test' } }, USER);
  };
  const csv = () => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ type: 'mobile', sendEmail: 'true', uploadId: 'u-1' })) {
      form.append(name, value);
    }
    form.append('file', new File([`email,firstName,lastName,primaryAttr\n${NEWCOMER},,,\n`], 'people.csv'));
    return form;
  };

  const invited = async () => {
    await send(contract.inviteUsers, { body: { orgEmails: [NEWCOMER], type: 'mobile', sendEmail: true } });
    return { suid: suidOf(NEWCOMER), type: 'mobile' as const };
  };

  return [
    write(
      contract.updateUser,
      ['email.change-requested'],
      () => ({
        body: { ...own(), primaryEmail: 'new.me@acme.test' },
      }),
      USER,
    ),
    write(
      contract.sendEmailCode,
      ['email.code-sent'],
      async () => {
        await change();
        return { body: {} };
      },
      USER,
    ),
    write(
      contract.verifyEmail,
      ['email.changed'],
      async () => {
        await change();
        return { body: { otp: await lastCode('new.me@acme.test') } };
      },
      USER,
    ),
    write(
      contract.verifyEmail,
      ['email.verified'],
      async () => {
        setMember(portal, suidOf(USER), { emailVerifiedAt: null });
        await send(contract.sendEmailCode, { body: {} }, USER);
        return { body: { otp: await lastCode(USER) } };
      },
      USER,
    ),
    write(contract.editDetails, ['member.updated'], () => ({
      body: { suid: suidOf(USER), mobileNumber: '+46 70 999 00 22' },
    })),
    write(contract.cancelEmailChange, ['email.change-cancelled'], async () => {
      await change();
      return { body: { suid: suidOf(USER) } };
    }),
    write(contract.manageUser, ['member.paused'], () => ({ body: { suid: suidOf(USER), action: 'pause' as const } })),
    write(contract.manageUser, ['member.unpaused'], async () => {
      await send(contract.manageUser, { body: { suid: suidOf(USER), action: 'pause' as const } });
      return { body: { suid: suidOf(USER), action: 'unpause' as const } };
    }),
    write(contract.deleteUser, ['member.deleted'], () => ({ body: { suid: suidOf(USER), org: 'acme' } })),
    write(contract.inviteUsers, ['member.invited'], {
      body: { orgEmails: [NEWCOMER], type: 'mobile', sendEmail: true },
    }),
    write(contract.checkInvitees, [], { body: { orgEmails: [NEWCOMER, 'nobody@acme.test'], type: 'mobile' } }),
    write(contract.resendInvitation, ['member.invited'], async () => ({ body: await invited() })),
    write(contract.withdrawInvitation, ['member.invitation-withdrawn'], async () => ({ body: await invited() })),
    write(contract.addUser, ['member.created'], { body: ADDED }),
    write(contract.addUser, ['member.created', 'member.invited'], { body: { ...ADDED, invite: 'mobile' } }),
    write(contract.checkBulkInvite, [], () => ({ body: csv() })),
    write(contract.bulkInvite, ['members.upload-began', 'members.invited'], () => ({ body: csv() })),
    write(contract.regenerateActivationCode, ['activation-code.issued', 'activation-code.mailed'], () => ({
      body: { ...newcomer(), sendEmail: true },
    })),
    write(contract.regenerateActivationCode, ['activation-code.issued'], () => ({ body: newcomer() })),
    write(contract.emailActivationCode, ['activation-code.issued', 'activation-code.mailed'], () => {
      db.$client.prepare('DELETE FROM activation_codes WHERE suid = ?').run(suidOf(NEWCOMER));
      return { body: newcomer() };
    }),
    write(contract.emailActivationCode, ['activation-code.mailed'], async () => {
      await send(contract.regenerateActivationCode, { body: newcomer() });
      return { body: newcomer() };
    }),
    write(
      contract.openActivationLink,
      ['email.verified', 'activation-code.issued', 'activation-code.mailed'],
      async () => {
        await send(contract.inviteUsers, { body: { orgEmails: [NEWCOMER], type: 'mobile', sendEmail: true } });
        db.$client.prepare('DELETE FROM activation_codes WHERE suid = ?').run(suidOf(NEWCOMER));
        const { messages } = (await portal.call(contract.readOutbox, { query: { to: NEWCOMER } })).body;
        return { query: { token: new URL(messages[0]?.links[0] ?? '').searchParams.get('token') ?? '' } };
      },
      NO_CREDENTIALS,
    ),
  ];
}
