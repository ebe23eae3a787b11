import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { email, portalText, secret, text } from '../../fields.ts';

/** Directories whose SCIM 2.0 dialect (RFC 7644) a replay can use. */
export const PROVISIONING_DIALECTS = ['okta', 'entra'] as const;
export type ProvisioningDialect = (typeof PROVISIONING_DIALECTS)[number];

/** A request of a replay, and its response. */
const provisioningStep = z.object({
  /** For people, e.g. `deactivates the person`. */
  name: portalText(z.string()),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  /** Path below the service's base URL. */
  path: z.string(),
  /** HTTP status; null without a response. */
  status: z.number().int().nullable(),
  ok: z.boolean(),
  /** Unexpected fields of the response; `status` for the status. */
  differs: z.array(z.object({ field: z.string(), expected: portalText(z.json()), actual: portalText(z.json()) })),
});
export type ProvisioningStep = z.output<typeof provisioningStep>;

export const replayProvisioning = endpoint({
  method: 'POST',
  path: '/lab/provisioning',
  area: 'Lab',
  summary:
    "Replay a directory's requests against your SCIM service: create, filter, change, deactivate and reactivate a person",
  access: { who: 'lab' },
  body: z
    .strictObject({
      dialect: z.enum(PROVISIONING_DIALECTS),
      /** Base URL of `/Users`, e.g. `http://localhost:4000/scim/v2`. */
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
      /** The person to provision. */
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
