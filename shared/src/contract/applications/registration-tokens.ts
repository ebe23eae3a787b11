import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, secret } from '../../fields.ts';
import { tokenForm } from '../provisioning/provisioning.ts';
import { appAccess as access } from './app-fields.ts';

const area = 'Applications' as const;

/** An initial access token (RFC 7591 §1.2), without the token itself. */
const registrationToken = z.object({
  tokenId: z.string(),
  name: z.string(),
  createdAt: z.string(),
  /** Null for no expiry. */
  expiresAt: z.string().nullable(),
  /** Null before its first use. */
  lastUsedAt: z.string().nullable(),
  /** Full name of the member who created it; null if unknown. */
  madeBy: z.string().nullable(),
  /** True while applications can register with it: until it expires, and while its creator can manage applications. */
  isValid: z.boolean(),
});
export type RegistrationToken = z.output<typeof registrationToken>;

export const listRegistrationTokens = endpoint({
  method: 'GET',
  path: '/org/registration-tokens',
  area,
  access,
  summary: 'List the tokens that applications register themselves with, newest first',
  reply: z.object({
    /** Registration endpoint. */
    endpoint: z.string(),
    tokens: z.array(registrationToken),
  }),
});

export const createRegistrationToken = endpoint({
  method: 'POST',
  path: '/org/registration-tokens',
  area,
  access,
  unversioned: 'creates',
  summary: 'Create a token that applications register themselves with; only this response contains it',
  body: tokenForm,
  reply: z.object({ token: registrationToken, secret: secret(z.string()) }),
  events: ['registration-token.created'],
});

export const revokeRegistrationToken = endpoint({
  method: 'DELETE',
  path: '/org/registration-tokens/:tokenId',
  area,
  access,
  unversioned: 'deletes',
  summary: 'Revoke a registration token; applications that have registered with it stay',
  params: z.object({ tokenId: id }),
  reply: z.object({}),
  events: ['registration-token.revoked'],
});
