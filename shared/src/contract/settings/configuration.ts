import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { secret } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import type { World } from '../world/world.ts';
import { auditEvent } from './audit.ts';

const area = 'Settings' as const;
const access = { who: 'permission', permission: 'SESSION_MANAGEMENT' } as const;

/**
 * The largest file: an FAQ of a thousand answers, each of the length that is allowed, with room for logos and metadata.
 */
export const CONFIGURATION_BYTES = 48 * 1_048_576;
/** As a text within JSON it grows by its escapes. */
const BODY_BYTES = 2 * CONFIGURATION_BYTES + LIMITS.jsonBodyBytes;

/**
 * What a file says of one organisation, in the format of a world (contract §16): its text in YAML or JSON, or the same
 * as an object. What it does not mention stays as it is; nothing is deleted.
 */
const written = secret(
  // Somebody may send a whole world, with its keys and codes.
  z.union([
    z.string().regex(/\S/, 'The file is empty').max(CONFIGURATION_BYTES, 'The file must be 48 MB or smaller'),
    z.custom<World>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
      error: 'Provide the text of a file, or an object',
    }),
  ]),
);

const place = {
  /** Of the text, counted from 1; null where an object was given. */
  line: z.number().int().nullable(),
  /** E.g. `organisations.0.roles.2.name`; '' for the whole. */
  path: z.string(),
  message: z.string(),
};

const difference = z.object({
  /** The organisation that the file is of; '' where it cannot be read. */
  from: z.string(),
  /** Why it cannot be imported. */
  mistakes: z.array(z.object(place)),
  /** What would change: each thing once, as the audit trail would record it. */
  changes: z.array(auditEvent.pick({ action: true, object: true, changes: true })),
  /** What the file has and an import leaves out. */
  leftOut: z.array(z.object(place)),
  /** What the organisation has and the file does not mention: it stays. */
  kept: z.array(auditEvent.shape.object),
  /** The version of the configuration with which the file was compared, for `If-Match`. */
  version: z.string(),
});
export type ConfigurationDifference = z.output<typeof difference>;

export const exportConfiguration = endpoint({
  method: 'GET',
  path: '/org/configuration',
  area,
  access,
  summary:
    'Settings, roles, mails, FAQ, APIs, applications and webhooks of the organisation as a file, without people and secrets',
  versioned: 'configuration',
  query: z.object({ format: z.enum(['yaml', 'json']).default('yaml') }),
  reply: z.object({}),
  document: ['application/yaml', 'application/json'],
});

export const checkConfiguration = endpoint({
  method: 'POST',
  path: '/org/configuration/check',
  area,
  access,
  summary: 'What an import would change, and every reason why it would be refused; nothing is saved',
  unversioned: 'reads',
  body: z.object({ configuration: written }),
  bodyBytes: BODY_BYTES,
  reply: difference,
  // It changes nothing.
  events: [],
});

export const importConfiguration = endpoint({
  method: 'POST',
  path: '/org/configuration/import',
  area,
  access,
  summary: 'Import a configuration: all of it, or nothing',
  versioned: 'configuration',
  current: difference,
  body: z.object({ configuration: written }),
  bodyBytes: BODY_BYTES,
  reply: difference.pick({ from: true, changes: true }),
  refuses: ['ORG_APP_ALREADY_EXISTS', 'ROLE_LIMIT_REACHED', 'UPLOAD_BLOCKED_IN_DR'],
  events: [
    'branding.updated',
    'session-settings.updated',
    'security.updated',
    'role.created',
    'role.updated',
    'mail-language.updated',
    'mail-text.updated',
    'faq-category.created',
    'faq-category.updated',
    'faq-subcategory.created',
    'faq-subcategory.updated',
    'faq-record.created',
    'faq-record.updated',
    'api-resource.created',
    'api-resource.updated',
    'application.created',
    'application.updated',
    'webhook.created',
    'webhook.updated',
    'configuration.imported',
  ],
});
