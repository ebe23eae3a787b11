import * as contract from '@orchestrate/shared';
import type { ForeignProvider } from '#features/portal-oidc/foreign-provider-testing.ts';
import { setUpProvider } from '../approving.ts';
import { testBrowser } from '../browser.ts';
import { BOSS, type Driver, NO_CREDENTIALS, providerAt, USER, type Write } from './driver.ts';

/** Returns writes made before signing in: sign-ups and sign-ins with an external account. */
export function visitorWrites(driver: Driver, foreign: ForeignProvider): Write[] {
  const { portal, send, write, suidOf, lastCode } = driver;

  const joining = { orgCode: 'acme', firstName: 'Nora', lastName: 'New', email: 'nora.new@acme.test' };
  const arrival = () => testBrowser(portal).walk('/api/oidc/login?orgCode=acme');
  const claim = async (email: string) => {
    await setUpProvider(portal, providerAt(foreign), 'security.admin@acme.test');
    foreign.person = { sub: `of ${email}`, email, email_verified: true };
  };
  async function linking(email: string) {
    await claim(email);
    const browser = testBrowser(portal);
    const { hash } = await browser.walk('/api/oidc/login?orgCode=acme');
    const code = new URLSearchParams(hash.slice(1)).get('code') ?? '';
    return async () => {
      const { status } = await browser.agent.post('/api/oidc/exchange').send({ code });
      if (status !== 200) throw new Error(`The external sign-in wasn't exchanged: ${status}`);
    };
  }

  return [
    write(
      contract.setUp,
      ['member.created', 'activation-code.issued', 'activation-code.mailed'],
      async () => {
        const { db, setupCode: code } = portal.deps;
        // Use a role that can still read the audit trail.
        db.$client.exec(`UPDATE members SET roleCode = 'SECURITY_ADMIN' WHERE roleCode = 'SUPER_ADMIN'`);
        return { body: { code, ...joining } };
      },
      NO_CREDENTIALS,
    ),
    write(contract.signup, ['member.signed-up'], { body: joining }, NO_CREDENTIALS),
    write(
      contract.verifySignup,
      ['member.verified', 'email.verified', 'activation-code.issued', 'activation-code.mailed'],
      async () => {
        await send(contract.signup, { body: joining }, NO_CREDENTIALS);
        return { body: { orgCode: 'acme', email: joining.email, otp: await lastCode(joining.email) } };
      },
      NO_CREDENTIALS,
    ),
    {
      of: contract.returnFromProvider,
      by: 'provider',
      leaves: ['external-identity.approval-requested'],
      async prepare() {
        await claim(BOSS);
        return arrival;
      },
    },
    {
      of: contract.exchangeExternalSignIn,
      by: 'provider',
      leaves: ['external-identity.linked'],
      prepare: () => linking(USER),
    },
    write(contract.removeExternalIdentity, ['external-identity.unlinked'], async () => {
      await (await linking(USER))();
      const { identities } = await send(contract.listExternalIdentities, { query: { suid: suidOf(USER) } });
      return { body: { suid: suidOf(USER), id: identities[0]?.id ?? '' } };
    }),
  ];
}
