import { contract, TOKEN_FLAWS } from '@orchestrate/shared';
import { decodeJwt } from 'jose';
import type { Portal } from '../../testing-api/portal.ts';
import { ADMIN, type Case, each, MANAGER, proveOptions, type Run, refusalOf, USER } from './options-testing.ts';

type Wish = Parameters<Portal['tokens']>[0];

const ORDERS = 'https://orders.acme.test/api';
const WIKI = { client: 'team-wiki', as: USER };

/** Issues tokens for an API. Returns their lasting claims and the verdict on them. */
const issuing =
  (wishOf: (run: Run) => Wish): Case =>
  async (run) => {
    const { portal } = run;
    const { token } = await portal.session({ email: ADMIN });
    const body = { identifier: ORDERS, name: 'Orders', scopes: ['orders:read', 'orders:write'] };
    await portal.call(contract.createApiResource, { body }, { token });
    const issued = portal.tokens(wishOf(run));
    const refusal = await refusalOf(issued);
    if (refusal !== 'accepted') return refusal;
    const { accessToken, idToken = '' } = await issued;
    return [await described(run, accessToken), await described(run, idToken)];
  };

/** Claims that differ with every token. */
const FLEETING = ['jti', 'at_hash', 'auth_time', 'sid'];

async function described({ portal }: Run, token: string) {
  if (!token.includes('.')) return 'opaque';
  const { iat = 0, exp = 0, nbf = iat, ...claims } = decodeJwt(token);
  const lasting = Object.entries(claims).filter(([name]) => !FLEETING.includes(name));
  return [lasting.sort(), exp - iat, nbf > iat, (await portal.inspect({ token })).verdict];
}

proveOptions('tokens', {
  'inspectToken token': async ({ portal, given }) => {
    const { idToken = '' } = await portal.tokens(WIKI);
    const { token } = await portal.session({ email: USER });
    return (await portal.inspect(given({ token }, { token: idToken }))).verdict;
  },
  'inspectToken nonce': async ({ portal, given }) => {
    const { idToken = '' } = await portal.tokens({ ...WIKI, claims: { nonce: 'first' } });
    return (await portal.inspect({ token: idToken, ...given({ nonce: 'second' }) })).verdict;
  },
  'issueTokens client': issuing(({ given }) => given({ ...WIKI, client: 'payroll' }, WIKI)),
  'issueTokens org': issuing(({ given }) => ({ ...WIKI, ...given({ org: 'globex' }) })),
  'issueTokens as': issuing(({ given }) => ({ ...WIKI, ...given({ as: MANAGER }) })),
  'issueTokens scope': issuing(({ given }) => ({ ...WIKI, ...given({ scope: 'openid' }) })),
  'issueTokens resource': issuing(({ given }) => ({ ...WIKI, ...given({ resource: ORDERS }) })),
  'issueTokens claims': issuing(({ given }) => ({ ...WIKI, ...given({ claims: { tenant: 'north' } }) })),
  'issueTokens expiresIn': issuing(({ given }) => ({ ...WIKI, resource: ORDERS, ...given({ expiresIn: 5 }) })),
  ...each('issueTokens tamper', TOKEN_FLAWS, (tamper) =>
    issuing(({ given }) => ({ ...WIKI, resource: ORDERS, ...given({ tamper }) })),
  ),
  'issueTokens tamper.without': issuing(({ given }) => ({ ...WIKI, ...given({ tamper: { without: 'email' } }) })),
});
