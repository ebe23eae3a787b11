import type { AuditAction, AuditActorKind, EndpointDefinition, InputOf } from '@orchestrate/shared';
import * as contract from '@orchestrate/shared';
import { startSession } from '../core/sign-in/sessions.ts';
import { CLIENT, type ForeignProvider } from '../features/external-sign-in/foreign-provider-testing.ts';
import type { Json } from '../protocols/scim/json.ts';
import { directoryOf, groupWith, userWith } from '../protocols/scim/testing.ts';
import { setUpProvider } from './approving.ts';
import { testBrowser } from './browser.ts';
import { activateFrom, beginPush, memberByEmail, setMember, setOrganisation } from './device.ts';
import { app, editsOf, samlApp } from './editing.ts';
import { spMetadata } from './metadata.ts';
import { softwareAuthenticator } from './passkey.ts';
import { approveQr, beginQr, type Credentials, type TestPortal } from './test-portal.ts';

/** One write, made through the public interface by its usual caller. */
export interface Write {
  /**
   * Its entry of the contract, or a description if it has none: a directory's request, a live channel, the portal
   * itself.
   */
  of: EndpointDefinition | string;
  /** Who makes it, as the trail calls them. */
  by: AuditActorKind;
  /** Exactly the events it leaves in acme's trail, in this order. */
  leaves: readonly AuditAction[];
  /** Makes the preparations, and returns the write itself, which succeeds or throws. */
  prepare: () => Promise<() => Promise<unknown>>;
}

export const BOSS = 'super.admin@acme.test';
const USER = 'user@acme.test';
const MANAGER = 'manager@acme.test';
const NEWCOMER = 'mara.lindholm@acme.test';
const PHONE = { name: 'A phone', type: 'mobile' as const, platform: 'Android 16' };

/** The events of entries that create or edit, by whether the thing existed. */
const EDITED: readonly [EndpointDefinition, readonly AuditAction[]][] = [
  [contract.saveOidcConfiguration, ['approval.requested', 'portal-oidc.updated']],
  [contract.renewScimCredentials, ['scim-credentials.renewed']],
];

/** @param foreign a provider that knows the portal's callback address */
export function writesOf(portal: TestPortal, foreign: ForeignProvider): Write[] {
  const { deps, authenticator } = portal;
  const params = { orgCode: 'acme' };
  const tokenOf = (email: string) => {
    const { orgCode, suid, zid } = portal.device(email);
    return startSession(deps, { orgCode, suid, zid, mode: 'QID' }).token;
  };
  const suidOf = (email: string) => memberByEmail(portal, 'acme', email).suid;
  const zidOf = (email: string) => portal.device(email).zid;

  /** Sends it, as the Super Admin unless somebody else is named. @throws where it is refused */
  async function send<const D extends EndpointDefinition>(
    entry: D,
    input: InputOf<D>,
    as: string | Credentials = BOSS,
  ) {
    const by = typeof as === 'string' ? { token: tokenOf(as) } : as;
    const answer = await portal.call(entry, input, by);
    const { resultName, message } = answer.body;
    if (answer.status >= 400 || resultName)
      throw new Error(`${entry.path}: ${answer.status} ${resultName} ${message} ${JSON.stringify(answer.body.issues)}`);
    return answer.body;
  }
  const anybody: Credentials = {};

  /** A write of an entry that needs no preparation. */
  const write = <const D extends EndpointDefinition>(
    entry: D,
    leaves: readonly AuditAction[],
    input: InputOf<D> | (() => InputOf<D> | Promise<InputOf<D>>),
    as?: string | Credentials,
  ): Write => ({
    of: entry,
    by: as === anybody ? 'visitor' : 'member',
    leaves,
    async prepare() {
      const made = typeof input === 'function' ? await input() : input;
      return () => send(entry, made, as);
    },
  });

  const edits = editsOf(portal, () => tokenOf(BOSS)).map(
    ({ entry, read, write: save }): Write => ({
      of: entry,
      by: 'member',
      leaves: EDITED.find(([known]) => known === entry)?.[1] ?? [
        ...(entry.events ?? []).filter((action) => action.endsWith('.updated')),
      ],
      async prepare() {
        await read();
        return async () => {
          const { status } = await save('edited', {});
          if (status !== 200) throw new Error(`${entry.path}: ${status}`);
        };
      },
    }),
  );

  const tree = async () => (await send(contract.getFaq, {})).categories;
  async function faq() {
    const [category] = await tree();
    const [subcategory] = category?.subcategories ?? [];
    const [record] = subcategory?.records ?? [];
    const { categoryId = '' } = category ?? {};
    return { categoryId, subcategoryId: subcategory?.subcategoryId ?? '', recordId: record?.recordId ?? '' };
  }
  const question = { question: 'Where is it?', answer: '<p>Here.</p>' };

  const hook = { url: 'http://localhost:9/hook', description: 'Ours' };
  const webhook = async () => (await send(contract.createWebhook, { body: hook })).webhook.id;
  const clients = {
    redirect_uris: ['https://drawer.test/callback'],
    post_logout_redirect_uris: ['https://drawer.test/'],
  };
  const saml = {
    orgCode: 'acme',
    name: 'Expenses',
    metadata: spMetadata(),
    redirectUrl: 'https://sp.example/start',
    samlNameId: 'primaryEmail',
    samlAttributes: ['firstName'],
    flags: { didEnabled: true, webAuthnEnabled: false, forceAuthnEnabled: true },
  };
  const secretIds = async () => {
    const { oidcConfiguration } = (await send(contract.getApp, app)).app;
    return oidcConfiguration?.clientSecrets.map(({ secretId }) => secretId) ?? [];
  };
  const certificates = async () => (await send(contract.getIdpConfiguration, {})).certificates.map(({ kid }) => kid);

  const settings: Write[] = [
    write(contract.createWebhook, ['webhook.created'], { body: hook }),
    write(contract.rotateWebhookSecret, ['webhook.secret-rotated'], async () => ({
      params: { webhookId: await webhook() },
      body: {},
    })),
    write(contract.deleteWebhook, ['webhook.deleted'], async () => ({ params: { webhookId: await webhook() } })),
    write(contract.testWebhook, [], async () => ({ params: { webhookId: await webhook() }, body: {} })),
    write(contract.resendWebhookDelivery, [], async () => {
      const webhookId = await webhook();
      const { delivery } = await send(contract.testWebhook, { params: { webhookId }, body: {} });
      return { params: { webhookId, deliveryId: delivery.id }, body: {} };
    }),
    write(contract.createRole, ['role.created'], { body: { name: 'Night shift', permissions: ['SEARCH_USER'] } }),
    write(contract.deleteRole, ['role.deleted'], { body: { roleCode: 'AUDITOR' } }),
    write(contract.saveFaqCategory, ['faq-category.created'], { body: { name: 'Brand new' } }),
    write(contract.saveFaqSubcategory, ['faq-subcategory.created'], async () => ({
      body: { categoryId: (await faq()).categoryId, name: 'Brand new' },
    })),
    write(contract.saveFaqRecord, ['faq-record.created'], async () => ({
      body: { subcategoryId: (await faq()).subcategoryId, ...question },
    })),
    write(contract.deleteFaqCategory, ['faq-category.deleted'], async () => ({
      body: { categoryId: (await faq()).categoryId },
    })),
    write(contract.deleteFaqSubcategory, ['faq-subcategory.deleted'], async () => ({
      body: { subcategoryId: (await faq()).subcategoryId },
    })),
    write(contract.deleteFaqRecord, ['faq-record.deleted'], async () => ({
      body: { recordId: (await faq()).recordId },
    })),
    write(contract.createIdpCertificate, ['idp-certificate.added'], { body: {} }),
    write(contract.deleteIdpCertificate, ['idp-certificate.deleted'], async () => {
      await send(contract.createIdpCertificate, { body: {} });
      return { params: { kid: (await certificates()).at(-1) ?? '' } };
    }),
    write(contract.beginApproval, ['approval.requested'], {
      body: { action: 'save-oidc-configuration', content: { ...providerAt(foreign), clientSecret: 'of the provider' } },
    }),
    write(contract.testOidcConfiguration, [], { body: { configurationUrl: foreign.issuer } }),
  ];

  const applications: Write[] = [
    write(contract.createApp, ['application.created'], {
      params,
      body: { orgCode: 'acme', name: 'Drawer', oidcConfiguration: { clients } },
    }),
    write(contract.deleteApp, ['application.deleted'], app),
    write(contract.createSamlApp, ['application.created'], { params, body: saml }),
    write(contract.createClientSecret, ['application.secret-added'], { ...app, body: { name: 'Second' } }),
    write(contract.deleteClientSecret, ['application.secret-deleted'], async () => ({
      params: { ...app.params, secretId: (await secretIds())[0] ?? '' },
    })),
    write(contract.validateAppName, [], { params, body: { appName: 'Free', orgId: 'acme' } }),
    write(contract.beginAppTry, [], { ...app, body: {} }),
    write(contract.beginAppTry, [], { ...samlApp, body: {} }),
    write(contract.readSamlMetadata, [], { params, body: { metadata: spMetadata() } }),
  ];

  const user = () => memberByEmail(portal, 'acme', USER);
  const own = () => {
    const { primaryAttr, firstName, lastName } = user();
    return { primaryAttr, firstName, lastName };
  };
  const change = async () => {
    await send(contract.updateUser, { body: { ...own(), primaryEmail: 'new.me@acme.test' } }, USER);
  };
  const lastCode = async (to: string) => {
    const { messages } = (await portal.call(contract.readOutbox, { query: { to } })).body;
    return messages.find(({ code }) => code)?.code ?? '';
  };
  const newcomer = () => ({
    primaryAttr: memberByEmail(portal, 'acme', NEWCOMER).primaryAttr,
    type: 'mobile' as const,
  });
  const csv = () => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ type: 'mobile', sendEmail: 'true', uploadId: 'u-1' })) {
      form.append(name, value);
    }
    form.append('file', new File([`email,firstName,lastName,primaryAttr\n${NEWCOMER},,,\n`], 'people.csv'));
    return form;
  };

  const people: Write[] = [
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
    write(contract.bulkInvite, ['members.upload-began', 'members.invited'], () => ({ body: csv() })),
    write(contract.regenerateActivationCode, ['activation-code.issued', 'activation-code.mailed'], () => ({
      body: { ...newcomer(), sendEmail: true },
    })),
    write(contract.regenerateActivationCode, ['activation-code.issued'], () => ({ body: newcomer() })),
    write(contract.emailActivationCode, ['activation-code.issued', 'activation-code.mailed'], () => {
      deps.db.$client.prepare('DELETE FROM activation_codes WHERE suid = ?').run(suidOf(NEWCOMER));
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
        deps.db.$client.prepare('DELETE FROM activation_codes WHERE suid = ?').run(suidOf(NEWCOMER));
        const { messages } = (await portal.call(contract.readOutbox, { query: { to: NEWCOMER } })).body;
        return { query: { token: new URL(messages[0]?.links[0] ?? '').searchParams.get('token') ?? '' } };
      },
      anybody,
    ),
  ];

  /** Signs somebody in with a browser that is then remembered. */
  async function rememberedBrowser(email: string): Promise<string> {
    const begun = await beginQr(portal);
    const exchangeToken = await approveQr(portal, portal.device(email), begun);
    await send(contract.login, { body: { loginId: begun.loginId, exchangeToken } }, anybody);
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

  const devices: Write[] = [
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
    write(
      contract.forgetBrowser,
      ['browser.forgotten'],
      async () => ({ body: { id: await rememberedBrowser(USER) } }),
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
        await beginPush(portal, user().primaryAttr);
        const phone = portal.device(USER);
        const [waiting] = await authenticator.pending(phone);
        const challengeId = waiting?.challengeId ?? '';
        return () => authenticator.respond(phone, { challengeId, decision: 'deny', reason: 'not-me' });
      },
    },
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
        // One network has twenty attempts.
        for (let index = 0; index < 100; index += 1) {
          const wrong = { email: `nobody.${index}@acme.test`, activationCode: '000000' };
          await activateFrom(portal, `203.0.${Math.floor(index / 20)}.1`, wrong);
        }
      },
    },
  ];

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
      if (status !== 200) throw new Error(`The external sign-in was not exchanged: ${status}`);
    };
  }

  const visitors: Write[] = [
    write(contract.signup, ['member.signed-up'], { body: joining }, anybody),
    write(
      contract.verifySignup,
      ['member.verified', 'email.verified', 'activation-code.issued', 'activation-code.mailed'],
      async () => {
        await send(contract.signup, { body: joining }, anybody);
        return { body: { orgCode: 'acme', email: joining.email, otp: await lastCode(joining.email) } };
      },
      anybody,
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

  const startSpace = async () => ({
    params: { spaceId: (await send(contract.makeSpace, { body: {} }, anybody)).spaceId },
  });

  const takeSnapshot = async () => ({
    params: { snapshotId: (await send(contract.takeSnapshot, { body: {} }, anybody)).snapshotId },
  });

  const beginRequest = async () => ({
    params: { loginId: (await beginQr(portal)).loginId },
    body: { as: USER },
  });

  const lab: Write[] = [
    write(contract.resetLab, ['lab.reset'], { body: {} }, anybody),
    write(contract.setClock, ['lab.clock-set'], { body: { advanceSeconds: 60 } }, anybody),
    write(contract.addFault, ['lab.fault-added'], { body: { method: 'GET', path: '/health' } }, anybody),
    write(contract.clearFaults, ['lab.faults-cleared'], {}, anybody),
    write(contract.setPolicy, ['lab.policy-set'], { body: { match: { email: USER }, answer: 'ignore' } }, anybody),
    write(contract.clearPolicies, ['lab.policies-cleared'], {}, anybody),
    write(contract.approveRequest, ['lab.phone-answered'], beginRequest, anybody),
    write(contract.denyRequest, ['lab.phone-answered'], beginRequest, anybody),
    write(contract.makePerson, ['lab.person-made'], { body: { org: 'acme' } }, anybody),
    write(contract.makeSession, ['lab.session-made'], { body: { email: USER } }, anybody),
    write(contract.addSocketFault, ['lab.socket-fault-added'], { body: { channel: 'login', do: 'drop' } }, anybody),
    write(contract.clearSocketFaults, ['lab.socket-faults-cleared'], {}, anybody),
    write(contract.takeSnapshot, ['lab.snapshot-taken'], { body: {} }, anybody),
    write(contract.restoreSnapshot, ['lab.snapshot-restored'], takeSnapshot, anybody),
    write(contract.dropSnapshot, ['lab.snapshot-dropped'], takeSnapshot, anybody),
    write(contract.makeSpace, ['lab.space-started'], { body: {} }, anybody),
    write(contract.endSpace, ['lab.space-ended'], startSpace, anybody),
    write(contract.emptyOutbox, ['lab.outbox-emptied'], {}, anybody),
  ];

  const directory = () => directoryOf(portal);
  const scim = (
    of: string,
    leaves: readonly AuditAction[],
    ask: () => Promise<{ status: number; body: Json }>,
  ): Write => ({
    of,
    by: 'directory',
    leaves,
    prepare: async () => async () => {
      const { status, body } = await ask();
      if (status >= 300) throw new Error(`${of}: ${status} ${JSON.stringify(body)}`);
    },
  });
  const ann = userWith({ userName: 'ann@acme.test', name: { givenName: 'Ann', familyName: 'Other' } });
  const members = () => [{ value: suidOf(USER) }];
  const directories: Write[] = [
    scim('SCIM POST /Users', ['member.created'], () => directory().send('POST', '/Users', ann)),
    scim('SCIM PUT /Users', ['member.updated'], () => directory().send('PUT', `/Users/${suidOf(USER)}`, ann)),
    scim('SCIM PATCH /Users, a name', ['member.updated'], () =>
      directory().patch(`/Users/${suidOf(USER)}`, [{ op: 'replace', path: 'name.givenName', value: 'Given' }]),
    ),
    scim('SCIM PATCH /Users, disabled', ['member.paused'], () =>
      directory().patch(`/Users/${suidOf(USER)}`, [{ op: 'replace', path: 'active', value: false }]),
    ),
    scim('SCIM PATCH /Users, disabled and enabled', ['member.paused', 'member.unpaused'], async () => {
      const set = (value: boolean) =>
        directory().patch(`/Users/${suidOf(USER)}`, [{ op: 'replace', path: 'active', value }]);
      await set(false);
      return set(true);
    }),
    scim('SCIM DELETE /Users', ['member.deleted'], () => directory().send('DELETE', `/Users/${suidOf(USER)}`)),
    scim('SCIM POST /Groups', ['role.created', 'member.updated'], () =>
      directory().send('POST', '/Groups', groupWith({ displayName: 'Night shift', members: members() })),
    ),
    scim('SCIM PATCH /Groups, the name', ['role.updated'], () =>
      directory().patch('/Groups/AUDITOR', [{ op: 'replace', path: 'displayName', value: 'Examiner' }]),
    ),
    scim('SCIM PATCH /Groups, a member', ['member.updated'], () =>
      directory().patch('/Groups/AUDITOR', [{ op: 'add', path: 'members', value: members() }]),
    ),
    {
      of: 'SCIM PUT /Groups',
      by: 'directory',
      leaves: ['role.updated', 'member.updated'],
      async prepare() {
        const { id } = await directory().send('POST', '/Groups', groupWith({ displayName: 'Night shift' }));
        const group = groupWith({ displayName: 'Day shift', members: members() });
        return async () => {
          const { status } = await directory().send('PUT', `/Groups/${id}`, group);
          if (status !== 200) throw new Error(`SCIM PUT /Groups: ${status}`);
        };
      },
    },
    scim('SCIM DELETE /Groups', ['role.deleted'], () => directory().send('DELETE', '/Groups/AUDITOR')),
    scim('SCIM POST /Bulk', ['member.created', 'member.deleted'], () =>
      directory().send('POST', '/Bulk', {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
        Operations: [
          { method: 'POST', path: '/Users', bulkId: 'a', data: ann },
          { method: 'DELETE', path: `/Users/${suidOf(USER)}` },
        ],
      }),
    ),
  ];

  const inLab = lab.map((each) => ({ ...each, by: 'lab' as const }));
  return [...edits, ...settings, ...applications, ...people, ...devices, ...visitors, ...inLab, ...directories];
}

const providerAt = ({ issuer }: ForeignProvider) => ({
  ...CLIENT,
  configurationUrl: issuer,
  buttonLabel: 'Foreign',
  enabled: true,
});
