import { contract, TOKEN_FLAWS } from '@orchestrate/shared';
import { decodeJwt } from 'jose';
import type { Portal } from '../../testing-api/portal.ts';
import { ADMIN, type Case, each, MANAGER, proveOptions, type Run, refusalOf, USER } from './options-testing.ts';

type TokenOptions = Parameters<Portal['tokens']>[0];

const ORDERS = 'https://orders.acme.test/api';
const WIKI = { client: 'team-wiki', as: USER };

/** Issues tokens while the organisation has an API. Returns their claims and verdicts, or the field that is refused. */
const observeTokens =
  (inputOf: (run: Run) => TokenOptions): Case =>
  async (run) => {
    const { portal } = run;
    const { token } = await portal.session({ email: ADMIN });
    const body = { identifier: ORDERS, name: 'Orders', scopes: ['orders:read', 'orders:write'] };
    await portal.call(contract.createApiResource, { body }, { token });
    const issued = portal.tokens(inputOf(run));
    const refusal = await refusalOf(issued);
    if (refusal !== 'accepted') return refusal;
    const { accessToken, idToken = '' } = await issued;
    return [await describeToken(run, accessToken), await describeToken(run, idToken)];
  };

/** Claims that differ in every token. */
const VARYING_CLAIMS = ['jti', 'at_hash', 'auth_time', 'sid'];

async function describeToken({ portal }: Run, token: string) {
  if (!token.includes('.')) return 'opaque';
  const { iat = 0, exp = 0, nbf = iat, ...claims } = decodeJwt(token);
  const comparable = Object.entries(claims).filter(([name]) => !VARYING_CLAIMS.includes(name));
  return [comparable.sort(), exp - iat, nbf > iat, (await portal.inspect({ token })).verdict];
}

proveOptions('tokens', {
  'inspectToken token': async ({ portal, option }) => {
    const { idToken = '' } = await portal.tokens(WIKI);
    const { token } = await portal.session({ email: USER });
    return (await portal.inspect(option({ token }, { token: idToken }))).verdict;
  },
  'inspectToken nonce': async ({ portal, option }) => {
    const { idToken = '' } = await portal.tokens({ ...WIKI, claims: { nonce: 'first' } });
    return (await portal.inspect({ token: idToken, ...option({ nonce: 'second' }) })).verdict;
  },
  'issueTokens client': observeTokens(({ option }) => option({ ...WIKI, client: 'payroll' }, WIKI)),
  'issueTokens org': observeTokens(({ option }) => ({ ...WIKI, ...option({ org: 'globex' }) })),
  'issueTokens as': observeTokens(({ option }) => ({ ...WIKI, ...option({ as: MANAGER }) })),
  'issueTokens scope': observeTokens(({ option }) => ({ ...WIKI, ...option({ scope: 'openid' }) })),
  'issueTokens resource': observeTokens(({ option }) => ({ ...WIKI, ...option({ resource: ORDERS }) })),
  'issueTokens claims': observeTokens(({ option }) => ({ ...WIKI, ...option({ claims: { tenant: 'north' } }) })),
  'issueTokens issuer': observeTokens(({ option }) => ({ ...WIKI, ...option({ issuer: 'https://other.example' }) })),
  'issueTokens expiresIn': observeTokens(({ option }) => ({ ...WIKI, resource: ORDERS, ...option({ expiresIn: 5 }) })),
  ...each('issueTokens tamper', TOKEN_FLAWS, (tamper) =>
    observeTokens(({ option }) => ({ ...WIKI, resource: ORDERS, ...option({ tamper }) })),
  ),
  'issueTokens tamper.without': observeTokens(({ option }) => ({
    ...WIKI,
    ...option({ tamper: { without: 'email' } }),
  })),
});
