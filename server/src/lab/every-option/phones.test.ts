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
/** Starts a change of settings that an administrator has to approve. */
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
const subjectsOfMessages = async ({ portal }: Run) => (await portal.outbox()).map(({ subject }) => subject);

/** Sets a policy, and starts a sign-in that its phone can answer. */
const observeSignIn =
  (policyOf: (run: Run) => Policy, mode?: 'QID'): Case =>
  async (run) => {
    await run.portal.policy(policyOf(run));
    return [await outcomeOf(run, await begin(run, mode)), await subjectsOfMessages(run)];
  };
const DENY = { match: { email: USER }, answer: 'deny' } as const;
const APPROVE = { match: { email: USER }, answer: 'approve' } as const;

/** Adds two policies and clears one or both. Returns how many remain. */
const observeCleared =
  (match: (run: Run) => Promise<Policy['match']> | Policy['match']): Case =>
  async (run) => {
    const cleared = await match(run);
    await run.portal.policy({ match: cleared, answer: 'deny' });
    await run.portal.policy({ match: { org: 'globex' }, answer: 'deny' });
    await run.portal.clearPolicies(run.option(cleared));
    return (await run.portal.policies()).policies.length;
  };
const zidOf = async ({ portal }: Run, email: string) =>
  (await portal.devices()).find(({ primaryEmail }) => primaryEmail === email)?.zid ?? '';

/** Starts a sign-in and answers it once. Returns the answer's result, the sign-in's outcome and the messages sent. */
const observeAnswer =
  (answer: 'approve' | 'deny', body: (run: Run) => object): Case =>
  async (run) => {
    const loginId = await begin(run);
    const options = { as: USER, ...body(run) };
    const answered = await run.portal[answer](loginId, options).catch(({ resultName }) => ({ resultName }));
    return [answered.resultName, await outcomeOf(run, loginId), await subjectsOfMessages(run)];
  };

proveOptions('phones', {
  'setPolicy match.email': observeSignIn(({ option }) => ({ match: option({ email: MANAGER }), answer: 'deny' })),
  'setPolicy match.zid': async (run) => {
    const zid = await zidOf(run, MANAGER);
    await run.portal.policy({ match: run.option({ zid }), answer: 'deny' });
    return outcomeOf(run, await begin(run));
  },
  'setPolicy match.org': observeSignIn(({ option }) => ({ match: option({ org: 'globex' }), answer: 'deny' })),
  ...each('setPolicy match.kind', KINDS, (kind) => async (run) => {
    await run.portal.policy({ match: { org: 'acme', ...run.option({ kind }) }, answer: 'approve' });
    await beginApproval(run);
    const [, answered] = await outcomeOf(run, await begin(run));
    return answered;
  }),
  ...each('setPolicy answer', ['approve', 'deny', 'ignore'], (answer) => async (run) => {
    if (run.isOn) await run.portal.policy({ match: { email: USER }, answer, opens: true });
    return outcomeOf(run, await begin(run, 'QID'));
  }),
  'setPolicy reason: not-me': observeSignIn(({ option }) => ({ ...DENY, ...option({ reason: 'not-me' }) })),
  'setPolicy reason: cancel': observeSignIn(({ option }) => ({
    ...DENY,
    ...option({ reason: 'cancel' }, { reason: 'not-me' }),
  })),
  'setPolicy afterMs': observeSignIn(({ option }) => ({ ...DENY, ...option({ afterMs: 30_000 }) })),
  'setPolicy number: right': observeSignIn(({ option }) => ({
    ...APPROVE,
    ...option({ number: 'right' }, { number: 'wrong' }),
  })),
  'setPolicy number: wrong': observeSignIn(({ option }) => ({ ...APPROVE, ...option({ number: 'wrong' }) })),
  ...each('setPolicy lie', phoneLie.options, (lie) =>
    observeSignIn(({ option }) => ({ ...APPROVE, ...option({ lie }) })),
  ),
  'setPolicy times': async (run) => {
    await run.portal.policy({ ...DENY, ...run.option({ times: 1 }) });
    await outcomeOf(run, await begin(run));
    return outcomeOf(run, await begin(run));
  },
  'setPolicy opens': observeSignIn(({ option }) => ({ ...APPROVE, ...option({ opens: true }) }), 'QID'),

  'clearPolicies email': observeCleared(() => ({ email: USER })),
  'clearPolicies zid': observeCleared(async (run) => ({ zid: await zidOf(run, USER) })),
  'clearPolicies org': observeCleared(() => ({ org: 'acme' })),
  ...each('clearPolicies kind', KINDS, (kind) =>
    kind === 'test'
      ? async ({ portal, option }) => {
          await portal.policy({ match: { kind }, answer: 'approve' });
          await portal.policy({ match: {}, answer: 'deny' });
          await portal.clearPolicies(option({ kind }));
          return (await portal.policies()).policies.length;
        }
      : observeCleared(() => ({ kind })),
  ),
  'clearPolicies everybody': async ({ portal, option }) => {
    await portal.policy({ match: {}, answer: 'deny' });
    await portal.policy({ match: { org: 'acme' }, answer: 'deny' });
    await portal.clearPolicies(option({ everybody: 'true' }));
    return (await portal.policies()).policies.length;
  },

  'approveRequest as': observeAnswer('approve', ({ option }) => option({ as: MANAGER })),
  ...each('approveRequest lie', phoneLie.options, (lie) => observeAnswer('approve', ({ option }) => option({ lie }))),
  'approveRequest number: right': observeAnswer('approve', ({ option }) =>
    option({ number: 'right' }, { number: 'wrong' }),
  ),
  'approveRequest number: wrong': observeAnswer('approve', ({ option }) => option({ number: 'wrong' })),
  'denyRequest as': observeAnswer('deny', ({ option }) => option({ as: MANAGER })),
  ...each('denyRequest lie', phoneLie.options, (lie) => observeAnswer('deny', ({ option }) => option({ lie }))),
  'denyRequest reason: not-me': observeAnswer('deny', ({ option }) => option({ reason: 'not-me' })),
  'denyRequest reason: cancel': observeAnswer('deny', ({ option }) =>
    option({ reason: 'cancel' }, { reason: 'not-me' }),
  ),
});
