import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { exportJWK } from 'jose/key/export';
import { generateKeyPair } from 'jose/key/generate/keypair';
import { Provider } from 'oidc-provider';
import { expect, test } from 'vitest';
import { FIXED_CONFIGURATION } from '../provider/fixed-configuration.ts';

interface Seam {
  /** Members of the library's classes that the override replaces, wraps or calls. */
  members: readonly string[];
  /** Identifiers that the library's source files must still use or set, by file. */
  source: Readonly<Record<string, readonly string[]>>;
}

/** The library internals that each override relies on, by the override's function name. */
const SEAMS: Readonly<Record<string, Seam>> = {
  overrideClientChecks: {
    members: [
      'Client.prototype.compareClientSecret',
      'Client.prototype.includeSid',
      'Client.prototype.redirectUriAllowed',
      'Client.prototype.postLogoutRedirectUriAllowed',
    ],
    source: {
      'shared/client_auth.js': ['await ctx.oidc.client.compareClientSecret(clientSecret)'],
      'helpers/process_response_types.js': ['ctx.oidc.client.includeSid()'],
      'actions/authorization/device.js': ['ctx.oidc.client.includeSid()'],
      'actions/authorization/response_parameters.js': ['client.redirectUriAllowed('],
      'actions/end_session.js': ['client.postLogoutRedirectUriAllowed('],
    },
  },
  boundBodies: {
    members: [],
    source: { 'shared/selective_body.js': ['readBody(ctx.req,', 'of req.iterator('] },
  },
  rewriteBodies: {
    members: [],
    source: { 'shared/selective_body.js': ['ctx.oidc.body = querystring.parse(body.toString())'] },
  },
  implyConsent: {
    members: ['OIDCContext.prototype.prompts'],
    source: { 'actions/authorization/scopes.js': ['{ prompts, client } = ctx.oidc', "!prompts.has('consent')"] },
  },
  acceptBackchannelAudience: {
    members: ['OIDCContext.prototype.clientJwtAuthExpectedAudience'],
    source: { 'shared/jwt_client_auth.js': ['ctx.oidc.clientJwtAuthExpectedAudience()'] },
  },
  storeSignInDetails: {
    members: ['Session.IN_PAYLOAD', 'Grant.IN_PAYLOAD'],
    source: { 'models/payload.js': ['Model.IN_PAYLOAD'] },
  },
  allowZeroLifetimes: {
    members: [
      'AccessToken.expiresIn',
      'AuthorizationCode.expiresIn',
      'ClientCredentials.expiresIn',
      'IdToken.expiresIn',
    ],
    source: {
      'models/base_token.js': ['this.constructor.expiresIn(als.getStore(), this, this.#client)'],
      'models/id_token.js': ['this.constructor.expiresIn(this.ctx, this, client)'],
    },
  },
  deriveRefreshTokens: {
    members: ['RefreshToken.prototype.save'],
    source: {
      'models/base_model.js': ['if (!this.jti)'],
      'actions/grants/refresh_token.js': ["ctx.oidc.entity('RotatedRefreshToken', refreshToken)"],
    },
  },
  releaseAppClaims: {
    members: ['Claims.prototype.result'],
    source: {
      'helpers/claims.js': ['this.available = available'],
      'models/id_token.js': ['await mask.result()'],
      'actions/userinfo.js': ['await mask.result()'],
    },
  },
  issueJwtAccessTokens: {
    members: ['AccessToken.prototype.save', 'ClientCredentials.prototype.save'],
    source: {
      'models/base_model.js': ['this.jti = this.generateTokenId()'],
      'models/base_token.js': ['this.setAudience(resourceServer.audience'],
      'models/formats/index.js': ['token.resourceServer?.accessTokenFormat'],
      'actions/userinfo.js': ['accessToken.aud !== undefined'],
    },
  },
  addAccessTokenHash: {
    members: ['AccessToken.prototype.save', 'IdToken.prototype.issue', 'IdToken.prototype.set'],
    source: {
      'helpers/grant_common.js': ['const accessToken = await at.save()', "token.issue({ use: 'idtoken' })"],
      'models/id_token.js': ["['at_hash', 'c_hash', 's_hash']"],
    },
  },
  applyLabToTokens: {
    members: ['IdToken.prototype.issue'],
    source: {
      'helpers/grant_common.js': ["token.issue({ use: 'idtoken' })"],
      'models/client.js': ["logoutToken.issue({ use: 'logout' })"],
      'models/id_token.js': ['this.available = available'],
    },
  },
  sendLogoutToken: {
    members: ['Client.prototype.backchannelLogout'],
    source: { 'models/client.js': ['async backchannelLogout(sub, sid)'] },
  },
};

const LIBRARY = dirname(createRequire(import.meta.url).resolve('oidc-provider'));

/** Signing key of `provider`, which has no overrides and stores nothing. */
const { privateKey } = await generateKeyPair('RS256', { extractable: true });
const provider = new Provider('https://op.example', {
  ...FIXED_CONFIGURATION,
  adapter: () => {
    throw new Error('Expected the provider to store nothing.');
  },
  jwks: { keys: [await exportJWK(privateKey)] },
});

test.each(Object.entries(SEAMS))(
  'finds everything in oidc-provider that %s relies on',
  (override, { members, source }) => {
    const missing = [
      ...members.filter((path) => !hasMember(provider, path.split('.'))),
      ...Object.entries(source).flatMap(([file, texts]) => {
        const library = readFileSync(join(LIBRARY, file), 'utf8');
        return texts.filter((text) => !library.includes(text)).map((text) => `${text} in ${file}`);
      }),
    ];
    expect(
      missing,
      `${override} relies on these parts of oidc-provider: check the override, then update this table`,
    ).toEqual([]);
  },
);

/** Returns true if a member exists at this path. Getters are found without being called. */
function hasMember(parent: object, [name = '', ...rest]: string[]): boolean {
  if (rest.length === 0) return name in parent;
  const child: unknown = Reflect.get(parent, name);
  return (typeof child === 'object' || typeof child === 'function') && child !== null && hasMember(child, rest);
}

test('covers every override in SEAMS', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => !/^(install-overrides|.*\.test)\.ts$/.test(name));
  const names = files.map((file) => file.slice(0, -'.ts'.length).replace(/-(.)/g, (_, letter) => letter.toUpperCase()));
  expect(Object.keys(SEAMS).sort()).toEqual(names.sort());
});
