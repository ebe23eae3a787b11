import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { email, secret, text } from '../../fields.ts';

/** Whose way of speaking SCIM 2.0 (RFC 7644) a replay has. */
export const PROVISIONING_DIALECTS = ['okta', 'entra'] as const;
export type ProvisioningDialect = (typeof PROVISIONING_DIALECTS)[number];

/** A request of a replay, and what came back. */
const provisioningStep = z.object({
  /** For people, e.g. `deactivates the person`. */
  name: z.string(),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  /** Below the address of the service. */
  path: z.string(),
  /** HTTP status; null where nothing came back. */
  status: z.number().int().nullable(),
  ok: z.boolean(),
  /** Fields of the answer that are not as expected; `status` for the status. */
  differs: z.array(z.object({ field: z.string(), expected: z.json(), actual: z.json() })),
});
export type ProvisioningStep = z.output<typeof provisioningStep>;

export const replayProvisioning = endpoint({
  method: 'POST',
  path: '/lab/provisioning',
  area: 'Lab',
  summary:
    'Send a SCIM service of yours what a directory sends: create, filter, change, deactivate, reactivate a person',
  access: { who: 'lab' },
  body: z
    .strictObject({
      dialect: z.enum(PROVISIONING_DIALECTS),
      /** Where `/Users` begins, e.g. `http://localhost:4000/scim/v2`. */
      url: text(500).regex(/^[^?#]*$/, 'This URL cannot have a query, because paths are appended to it'),
      /** Sent as the bearer token. */
      token: secret(
        text(4_000).regex(/^[\x20-\x7e]+$/, 'Bearer tokens cannot contain line breaks or non-ASCII characters'),
      ).optional(),
      /** RFC 7617 §2. */
      username: text(200)
        .regex(/^[^:]*$/, 'User names cannot contain a colon')
        .optional(),
      password: secret(text(200)).optional(),
      /** The person who is provisioned. */
      email: email.default('isaac.brock@example.com'),
    })
    .refine(({ token, username }) => token === undefined || username === undefined, {
      path: ['token'],
      message: 'Provide either a token or a username and password',
    })
    .refine(({ username, password }) => password === undefined || username !== undefined, {
      path: ['password'],
      message: 'password requires username',
    }),
  reply: z.object({ ok: z.boolean(), steps: z.array(provisioningStep) }),
  events: ['lab.provisioning-replayed'],
});
