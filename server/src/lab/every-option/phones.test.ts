import { contract, phoneLie } from '@orchestrate/shared';
import type { Portal } from '../../testing-api/portal.ts';
import { ADMIN, type Case, each, MANAGER, proveOptions, type Run, USER } from './options-testing.ts';

type Policy = Parameters<Portal['policy']>[0];

const KINDS = ['login', 'app-login', 'verbal', 'test', 'approval'] as const;

/** Starts a sign-in with a push that displays a number, or with a QR code. */
async function begin({ portal }: Run, mode: 'PUSH' | 'QID' = 'PUSH'): Promise<string> {
  const { loginId } = await portal.call(contract.login, { body: { orgCode: 'acme', mode, primaryAttr: USER } });
  return loginId ?? '';
}
/** Starts a save that an administrator approves. */
async function beginApproval({ portal }: Run): Promise<string> {
  const { token } = await portal.session({ email: ADMIN });
  const texts = { configurationUrl: 'https://idp.test', clientId: 'x', clientSecret: 'y', buttonLabel: 'z' };
  const body = { action: 'save-oidc-configuration' as const, content: { ...texts, enabled: true } };
  return (await portal.call(contract.beginApproval, { body }, { token })).approvalId;
}

/** Lets the phones answer. Returns the state of a sign-in, and the results of the answers. */
async function outcomeOf({ portal }: Run, loginId: string) {
  await portal.clock({ advance: '1s' });
  const { state } = await portal.call(contract.loginState, { params: { loginId } });
  const { answered } = await portal.policies();
  return [state, answered.map(({ kind, result }) => `${kind} ${result.resultName}`)];
}
/** Returns the subjects of the messages that a denial causes. */
const messagesIn = async ({ portal }: Run) => (await portal.outbox()).map(({ subject }) => subject);

/** Sets a policy, and starts a sign-in that its phone can answer. */
const answering =
  (policyOf: (run: Run) => Policy, mode?: 'QID'): Case =>
  async (run) => {
    await run.portal.policy(policyOf(run));
    return [await outcomeOf(run, await begin(run, mode)), await messagesIn(run)];
  };
const DENY = { match: { email: USER }, answer: 'deny' } as const;
const APPROVE = { match: { email: USER }, answer: 'approve' } as const;

/** Adds two policies and clears some of them. Returns those that are left. */
const clearing =
  (match: (run: Run) => Promise<Policy['match']> | Policy['match']): Case =>
  async (run) => {
    const cleared = await match(run);
    await run.portal.policy({ match: cleared, answer: 'deny' });
    await run.portal.policy({ match: { org: 'globex' }, answer: 'deny' });
    await run.portal.clearPolicies(run.given(cleared));
    return (await run.portal.policies()).policies.length;
  };
const zidOf = async ({ portal }: Run, email: string) =>
  (await portal.devices()).find(({ primaryEmail }) => primaryEmail === email)?.zid ?? '';

/** Starts a sign-in and answers it once. Returns the result of the answer, and the messages that it causes. */
const once =
  (answer: 'approve' | 'deny', body: (run: Run) => object): Case =>
  async (run) => {
    const loginId = await begin(run);
    const wish = { as: USER, ...body(run) };
    const answered = await run.portal[answer](loginId, wish).catch(({ resultName }) => ({ resultName }));
    return [answered.resultName, await outcomeOf(run, loginId), await messagesIn(run)];
  };

proveOptions('phones', {
  'setPolicy match.email': answering(({ given }) => ({ match: given({ email: MANAGER }), answer: 'deny' })),
  'setPolicy match.zid': async (run) => {
    const zid = await zidOf(run, MANAGER);
    await run.portal.policy({ match: run.given({ zid }), answer: 'deny' });
    return outcomeOf(run, await begin(run));
  },
  'setPolicy match.org': answering(({ given }) => ({ match: given({ org: 'globex' }), answer: 'deny' })),
  ...each('setPolicy match.kind', KINDS, (kind) => async (run) => {
    await run.portal.policy({ match: { org: 'acme', ...run.given({ kind }) }, answer: 'approve' });
    await beginApproval(run);
    const [, answered] = await outcomeOf(run, await begin(run));
    return answered;
  }),
  ...each('setPolicy answer', ['approve', 'deny', 'ignore'], (answer) => async (run) => {
    if (run.isOn) await run.portal.policy({ match: { email: USER }, answer, opens: true });
    return outcomeOf(run, await begin(run, 'QID'));
  }),
  'setPolicy reason: not-me': answering(({ given }) => ({ ...DENY, ...given({ reason: 'not-me' }) })),
  'setPolicy reason: cancel': answering(({ given }) => ({
    ...DENY,
    ...given({ reason: 'cancel' }, { reason: 'not-me' }),
  })),
  'setPolicy afterMs': answering(({ given }) => ({ ...DENY, ...given({ afterMs: 30_000 }) })),
  'setPolicy number: right': answering(({ given }) => ({
    ...APPROVE,
    ...given({ number: 'right' }, { number: 'wrong' }),
  })),
  'setPolicy number: wrong': answering(({ given }) => ({ ...APPROVE, ...given({ number: 'wrong' }) })),
  ...each('setPolicy lie', phoneLie.options, (lie) => answering(({ given }) => ({ ...APPROVE, ...given({ lie }) }))),
  'setPolicy times': async (run) => {
    await run.portal.policy({ ...DENY, ...run.given({ times: 1 }) });
    await outcomeOf(run, await begin(run));
    return outcomeOf(run, await begin(run));
  },
  'setPolicy opens': answering(({ given }) => ({ ...APPROVE, ...given({ opens: true }) }), 'QID'),

  'clearPolicies email': clearing(() => ({ email: USER })),
  'clearPolicies zid': clearing(async (run) => ({ zid: await zidOf(run, USER) })),
  'clearPolicies org': clearing(() => ({ org: 'acme' })),
  ...each('clearPolicies kind', KINDS, (kind) =>
    kind === 'test'
      ? async ({ portal, given }) => {
          await portal.policy({ match: { kind }, answer: 'approve' });
          await portal.policy({ match: {}, answer: 'deny' });
          await portal.clearPolicies(given({ kind }));
          return (await portal.policies()).policies.length;
        }
      : clearing(() => ({ kind })),
  ),
  'clearPolicies everybody': async ({ portal, given }) => {
    await portal.policy({ match: {}, answer: 'deny' });
    await portal.policy({ match: { org: 'acme' }, answer: 'deny' });
    await portal.clearPolicies(given({ everybody: 'true' }));
    return (await portal.policies()).policies.length;
  },

  'approveRequest as': once('approve', ({ given }) => given({ as: MANAGER })),
  ...each('approveRequest lie', phoneLie.options, (lie) => once('approve', ({ given }) => given({ lie }))),
  'approveRequest number: right': once('approve', ({ given }) => given({ number: 'right' }, { number: 'wrong' })),
  'approveRequest number: wrong': once('approve', ({ given }) => given({ number: 'wrong' })),
  'denyRequest as': once('deny', ({ given }) => given({ as: MANAGER })),
  ...each('denyRequest lie', phoneLie.options, (lie) => once('deny', ({ given }) => given({ lie }))),
  'denyRequest reason: not-me': once('deny', ({ given }) => given({ reason: 'not-me' })),
  'denyRequest reason: cancel': once('deny', ({ given }) => given({ reason: 'cancel' }, { reason: 'not-me' })),
});
