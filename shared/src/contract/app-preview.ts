import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { id, orgCode } from '../fields.ts';

const claimValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

/** Claims by their names, as JSON has them (OpenID Connect Core 1.0 §2, §5.1). */
export const claims = z.record(z.string(), claimValue);
export type Claims = z.output<typeof claims>;

const oidcPreview = z.object({
  protocol: z.literal('oidc'),
  /** As for a client that asks for every scope. Without what each sign-in decides: nonce, session and hashes. */
  idToken: claims,
  userinfo: claims,
  /** Which claims a client is given for which scope. */
  scopes: z.record(z.string(), z.array(z.string())),
});

const samlPreview = z.object({
  protocol: z.literal('saml'),
  nameId: z.string(),
  nameIdFormat: z.string(),
  attributes: z.array(z.object({ name: z.string(), format: z.string(), value: z.string() })),
  /** The response without a signature, which no service provider accepts. */
  xml: z.string(),
});

/** What an application would be told of a member. */
export const appPreview = z.discriminatedUnion('protocol', [oidcPreview, samlPreview]);
export type AppPreview = z.output<typeof appPreview>;

/** A member other than the caller needs SEARCH_USER too (32). */
export const previewApp = endpoint({
  method: 'GET',
  path: '/orgs/:orgCode/apps/:appId/preview',
  area: 'Applications',
  access: { who: 'permission', permission: 'SESSION_MANAGEMENT' },
  summary: 'What an OIDC or SAML application would receive of a member, unsigned; of the caller without `suid`',
  params: z.object({ orgCode, appId: id }),
  query: z.object({ suid: id.optional() }),
  reply: z.object({ preview: appPreview }),
  refuses: ['ORG_APP_MISSING', 'USER_INACTIVE', 'USER_NOT_REGISTERED_FOR_ORG'],
});
