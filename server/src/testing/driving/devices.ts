import * as contract from '@orchestrate/shared';
import type { Decision } from '@orchestrate/shared/authenticator';
import { activateFrom, beginPush, memberByEmail, setOrganisation } from '../device.ts';
import { softwareAuthenticator } from '../passkey.ts';
import { approveQr, beginQr } from '../test-portal.ts';
import { type Driver, NEWCOMER, NO_CREDENTIALS, PHONE, USER, type Write } from './driver.ts';

const MANAGER = 'manager@acme.test';

/** Returns writes that change devices, passkeys, sessions and remembered browsers. */
export function deviceWrites(driver: Driver): Write[] {
  const { portal, send, write, tokenOf, suidOf, zidOf, newcomer } = driver;
  const { deps, authenticator } = portal;

  /** Signs this person in with a browser and remembers it. */
  async function rememberedBrowser(email: string): Promise<string> {
    const started = await beginQr(portal);
    const exchangeToken = await approveQr(portal, portal.device(email), started);
    await send(contract.login, { body: { loginId: started.loginId, exchangeToken } }, NO_CREDENTIALS);
    const { browsers } = await send(contract.listSessions, { query: {} }, email);
    return browsers[0]?.id ?? '';
  }
  const otherSession = async () => {
    tokenOf(USER);
    return (await send(contract.listSessions, { query: { suid: suidOf(USER) } })).sessions[0]?.id ?? '';
  };
  const desktopOf = (email: string) => {
    const found = deps.db.$client
      .prepare<[string, string], string>('SELECT zid FROM devices WHERE suid = ? AND zid != ?')
      .pluck()
      .get(suidOf(email), zidOf(email));
    return { suid: suidOf(email), zid: found ?? '' };
  };

  /** Returns a write in which the phone answers the request to confirm a newly added computer. */
  const answerToNewDevice = (
    leaves: Write['leaves'],
    answer: (request: { challengeId: string; number: string }) => Decision,
  ): Write => ({
    of: contract.respond,
    by: 'device',
    leaves,
    async prepare() {
      const phone = portal.device(USER);
      const { primaryEmail: email, primaryAttr } = memberByEmail(portal, 'acme', USER);
      const { activationCode } = await send(
        contract.regenerateActivationCode,
        { body: { email, primaryAttr, type: 'desktop' } },
        USER,
      );
      const computer = { ...PHONE, type: 'desktop' as const };
      const added = { orgCode: 'acme', email: USER, activationCode, device: computer };
      const { confirmation } = await authenticator.activate(added);
      const [waiting] = await authenticator.pending(phone);
      const request = { challengeId: waiting?.challengeId ?? '', number: confirmation?.matchNumber ?? '' };
      return () => authenticator.respond(phone, answer(request));
    },
  });

  return [
    write(
      contract.nameDevice,
      ['device.renamed'],
      () => ({
        body: { suid: suidOf(USER), zid: zidOf(USER), nickname: 'Pocket' },
      }),
      USER,
    ),
    write(contract.manageDevice, ['device.paused'], () => ({
      body: { ...desktopOf(MANAGER), action: 'pause' as const },
    })),
    write(contract.manageDevice, ['device.unpaused'], async () => {
      const device = desktopOf(MANAGER);
      await send(contract.manageDevice, { body: { ...device, action: 'pause' } });
      return { body: { ...device, action: 'enable' as const } };
    }),
    write(contract.deleteDevice, ['device.deleted'], () => ({ body: desktopOf(MANAGER) })),
    write(contract.deleteDevice, ['device.lost'], () => ({
      body: { ...desktopOf(MANAGER), action: 'LOST_DEVICE' as const },
    })),
    write(contract.replaceDevice, ['device.lost', 'activation-code.issued', 'activation-code.mailed'], () => ({
      body: { suid: suidOf(USER), zid: zidOf(USER), type: 'mobile' as const },
    })),
    write(
      contract.addDevice,
      [],
      () => ({ body: { suid: suidOf(USER), type: 'QID' as const, mode: 'mobile' as const } }),
      USER,
    ),
    write(
      contract.beginPasskey,
      [],
      () => {
        setOrganisation(portal, 'acme', { webAuthnEnabled: 1 });
        return { body: {} };
      },
      USER,
    ),
    write(
      contract.addPasskey,
      ['device.registered'],
      async () => {
        setOrganisation(portal, 'acme', { webAuthnEnabled: 1 });
        const { registrationId, options } = await send(contract.beginPasskey, { body: {} }, USER);
        return { body: { registrationId, credential: softwareAuthenticator(portal.url).create(options).registration } };
      },
      USER,
    ),
    {
      of: 'a device that is added on the live channel',
      by: 'member',
      leaves: ['device.registered'],
      async prepare() {
        const [suid, token] = [suidOf(USER), tokenOf(USER)];
        const { aid } = (
          await portal.call(
            contract.addDevice,
            { body: { suid, type: 'QID' as const, mode: 'mobile' as const } },
            { token },
          )
        ).body;
        const live = await portal.open(contract.addDeviceLive, { suid, aid }, { token });
        await live.next();
        await authenticator.pair({ orgCode: 'acme', aid, device: PHONE });
        await live.next();
        return async () => {
          live.send({ action: 'add-device', type: 'confirm', aid, confirm: 'yes' });
          await live.next();
          live.close();
        };
      },
    },
    write(contract.logout, [], { body: {} }, USER),
    write(contract.setLanguage, [], { body: { language: 'de' } }, USER),
    write(
      contract.forgetBrowser,
      ['browser.forgotten'],
      async () => ({ body: { id: await rememberedBrowser(USER) } }),
      USER,
    ),
    write(
      contract.forgetBrowsers,
      ['browser.forgotten'],
      async () => {
        await rememberedBrowser(USER);
        return {};
      },
      USER,
    ),
    write(contract.endSession, ['browser.forgotten'], async () => ({
      body: { suid: suidOf(USER), what: 'browser' as const, id: await rememberedBrowser(USER) },
    })),
    write(contract.endSession, ['session.ended'], async () => ({
      body: { suid: suidOf(USER), what: 'session' as const, id: await otherSession() },
    })),
    write(contract.endSession, ['session.ended'], async () => {
      await otherSession();
      return { body: { suid: suidOf(USER), what: 'all' as const } };
    }),
    write(
      contract.disownLogin,
      ['sign-in.disowned'],
      async () => {
        await portal.signIn(USER);
        const { records } = await send(contract.getLoginHistory, { query: { count: 1 } }, USER);
        return { body: { id: records[0]?.id ?? '' } };
      },
      USER,
    ),
    {
      of: contract.respond,
      by: 'device',
      leaves: ['fraud.reported'],
      async prepare() {
        await beginPush(portal, memberByEmail(portal, 'acme', USER).primaryAttr);
        const phone = portal.device(USER);
        const [waiting] = await authenticator.pending(phone);
        const challengeId = waiting?.challengeId ?? '';
        return () => authenticator.respond(phone, { challengeId, decision: 'deny', reason: 'not-me' });
      },
    },
    answerToNewDevice(['device.confirmed'], ({ challengeId, number }) => ({
      challengeId,
      decision: 'approve',
      number,
    })),
    answerToNewDevice(['device.deleted', 'fraud.reported'], ({ challengeId }) => ({
      challengeId,
      decision: 'deny',
      reason: 'not-me',
    })),
    {
      of: contract.activate,
      by: 'visitor',
      leaves: ['device.activated', 'member.activated'],
      async prepare() {
        const { activationCode } = await send(contract.regenerateActivationCode, { body: newcomer() });
        return () => authenticator.activate({ orgCode: 'acme', email: NEWCOMER, activationCode, device: PHONE });
      },
    },
    {
      of: contract.activate,
      by: 'visitor',
      leaves: ['attack.activation-guessing'],
      prepare: async () => async () => {
        // A network is allowed only twenty attempts, so continue from another network after twenty.
        for (let index = 0; index < 100; index += 1) {
          const wrong = { email: `nobody.${index}@acme.test`, activationCode: '000000' };
          await activateFrom(portal, `203.0.${Math.floor(index / 20)}.1`, wrong);
        }
      },
    },
  ];
}
