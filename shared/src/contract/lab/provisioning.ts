import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { email, portalText, secret, text } from '../../fields.ts';

/** Directories whose SCIM 2.0 dialect (RFC 7644) a replay can use. */
export const PROVISIONING_DIALECTS = ['okta', 'entra'] as const;
export type ProvisioningDialect = (typeof PROVISIONING_DIALECTS)[number];

/** One replayed request and its response. */
const provisioningStep = z.object({
  /** Human-readable name, e.g. `deactivates the person`. */
  name: portalText(z.string()),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  /** Path below the service's base URL. */
  path: z.string(),
  /** HTTP status. null if there was no response. */
  status: z.number().int().nullable(),
  ok: z.boolean(),
  /** Response fields with unexpected values. `status` stands for the HTTP status. */
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
      /** Directory whose requests to send. */
      dialect: z.enum(PROVISIONING_DIALECTS),
      /** Base URL that `/Users` is appended to, e.g. `http://localhost:4000/scim/v2`. */
      url: text(500).regex(/^[^?#]*$/, 'This URL cannot have a query string, because paths are appended to it'),
      /** Token sent in the `Authorization` header, as a bearer token. */
      token: secret(
        text(4_000).regex(/^[\x20-\x7e]+$/, 'Bearer tokens cannot contain line breaks or non-ASCII characters'),
      ).optional(),
      /** User name for basic authentication (RFC 7617 §2). */
      username: text(200)
        .regex(/^[^:]*$/, 'User names cannot contain a colon')
        .optional(),
      /** Password for basic authentication. */
      password: secret(text(200)).optional(),
      /** Email of the person to provision. */
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
