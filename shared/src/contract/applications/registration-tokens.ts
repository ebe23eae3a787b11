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
  /** Expiry; null if the token never expires. */
  expiresAt: z.string().nullable(),
  /** Time of the last use; null if unused. */
  lastUsedAt: z.string().nullable(),
  /** Full name of the member who created the token; null if unknown. */
  madeBy: z.string().nullable(),
  /**
   * True while applications can register with the token: until it expires, and as long as its creator can manage
   * applications.
   */
  isValid: z.boolean(),
});
export type RegistrationToken = z.output<typeof registrationToken>;

export const listRegistrationTokens = endpoint({
  method: 'GET',
  path: '/org/registration-tokens',
  area,
  access,
  summary: 'List the tokens that let applications register themselves, newest first',
  reply: z.object({
    /** Registration endpoint URL. */
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
  summary: 'Create a token that lets applications register themselves. Only this response contains the token',
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
  summary: 'Revoke a registration token. Applications that have already registered with it stay registered',
  params: z.object({ tokenId: id }),
  reply: z.object({}),
  events: ['registration-token.revoked'],
});
