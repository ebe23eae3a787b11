import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { id, secret } from '../../fields.ts';
import { tokenForm } from '../provisioning/token-form.ts';
import { appAccess as access } from './app-fields.ts';

const area = 'Applications' as const;

/** An initial access token (RFC 7591 §1.2), as it can be seen after it was made. */
const registrationToken = z.object({
  tokenId: z.string(),
  name: z.string(),
  createdAt: z.string(),
  /** Null: never. */
  expiresAt: z.string().nullable(),
  /** Null before it is first used. */
  lastUsedAt: z.string().nullable(),
  /** Full name of the person who made it; null where that is not known. */
  madeBy: z.string().nullable(),
  /** Whether it still lets applications register: until it expires, and while its maker may manage applications. */
  isValid: z.boolean(),
});
export type RegistrationToken = z.output<typeof registrationToken>;

export const listRegistrationTokens = endpoint({
  method: 'GET',
  path: '/org/registration-tokens',
  area,
  access,
  summary: 'The tokens with which applications register themselves, the newest first',
  reply: z.object({
    /** Where they register. */
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
  summary: 'Make a token with which applications register themselves; this answer alone contains it',
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
  summary: 'Revoke a registration token: nothing registers with it any more; what has registered stays',
  params: z.object({ tokenId: id }),
  reply: z.object({}),
  events: ['registration-token.revoked'],
});
