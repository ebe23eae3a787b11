import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { portalText, secret } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import type { World } from '../world/world.ts';
import { auditEvent } from './audit.ts';

const area = 'Settings' as const;
const access = { who: 'permission', permission: 'SESSION_MANAGEMENT' } as const;

/** Maximum file size: an FAQ of a thousand answers of maximum length, with room for logos and metadata. */
export const CONFIGURATION_BYTES = 48 * 1_048_576;
/** As a string within JSON, it grows because of escapes. */
const BODY_BYTES = 2 * CONFIGURATION_BYTES + LIMITS.jsonBodyBytes;

/**
 * The configuration of one organisation in the format of a world (contract §16): its text in YAML or JSON, or the same
 * as an object. Anything it does not mention stays unchanged; nothing is deleted.
 */
const written = secret(
  // Someone may send a whole world, with its keys and codes.
  z.union([
    z.string().regex(/\S/, 'The file is empty').max(CONFIGURATION_BYTES, 'The file must be 48 MB or smaller'),
    z.custom<World>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
      error: 'Provide the text of a file, or an object',
    }),
  ]),
);

const position = {
  /** Line of the text, from 1; null if an object was sent. */
  line: z.number().int().nullable(),
  /** E.g. `organisations.0.roles.2.name`; '' for the whole file. */
  path: z.string(),
  message: portalText(z.string()),
};

const difference = z.object({
  /** The organisation that the file comes from; '' if it cannot be read. */
  from: z.string(),
  /** Errors that prevent an import. */
  mistakes: z.array(z.object(position)),
  /** Changes by an import, each object once, as the audit trail would record them. */
  changes: z.array(auditEvent.pick({ action: true, object: true, changes: true })),
  /** Parts of the file that an import ignores. */
  leftOut: z.array(z.object(position)),
  /** Objects of the organisation that the file does not mention, which stay. */
  kept: z.array(auditEvent.shape.object),
  /** Version of the configuration that the file was compared with, for `If-Match`. */
  version: z.string(),
});
export type ConfigurationDifference = z.output<typeof difference>;

export const exportConfiguration = endpoint({
  method: 'GET',
  path: '/org/configuration',
  area,
  access,
  summary: 'Export settings, roles, emails, FAQ, APIs, applications and webhooks as a file, without people and secrets',
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
  summary: 'Preview the changes of an import, and all errors that would prevent it; nothing is saved',
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
  summary: 'Import a configuration, completely or not at all',
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
