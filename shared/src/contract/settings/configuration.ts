import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { portalText, secret } from '../../fields.ts';
import { LIMITS } from '../../limits.ts';
import type { World } from '../world/world.ts';
import { auditEvent } from './audit.ts';

const area = 'Settings' as const;
const access = { who: 'permission', permission: 'SESSION_MANAGEMENT' } as const;

/**
 * Maximum file size, in bytes. Enough for an FAQ with a thousand answers of maximum length, plus logos and metadata.
 */
export const CONFIGURATION_BYTES = 48 * 1_048_576;
/** Maximum body size, in bytes. Escaping makes the file larger when it is sent as a string within JSON. */
const BODY_BYTES = 2 * CONFIGURATION_BYTES + LIMITS.jsonBodyBytes;

/**
 * One organisation's configuration in the world format (contract §16), as YAML or JSON text or as an object. Anything
 * that the configuration doesn't mention stays unchanged; nothing is deleted.
 */
const written = secret(
  // Treat the file as secret: clients might send a whole world, including its keys and codes.
  z.union([
    z.string().regex(/\S/, 'The file is empty').max(CONFIGURATION_BYTES, 'The file must be 48 MB or smaller'),
    z.custom<World>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
      error: 'Provide the file content as a string, or an object',
    }),
  ]),
);

const position = {
  /** Line number in the text, starting at 1. null if an object was sent. */
  line: z.number().int().nullable(),
  /** Path within the file, e.g. `organisations.0.roles.2.name`. '' for the whole file. */
  path: z.string(),
  message: portalText(z.string()),
};

const difference = z.object({
  /** Code of the organisation that the file was exported from. '' if the file can't be read. */
  from: z.string(),
  /** Errors that would prevent the import. */
  mistakes: z.array(z.object(position)),
  /** Changes that the import would make, one per object, as the audit trail would record them. */
  changes: z.array(auditEvent.pick({ action: true, object: true, changes: true })),
  /** Fields and objects in the file that an import ignores. */
  leftOut: z.array(z.object(position)),
  /** Objects of the organisation that the file doesn't mention and the import would leave unchanged. */
  kept: z.array(auditEvent.shape.object),
  /** Version of the configuration that the file was compared with, for the `If-Match` header. */
  version: z.string(),
});
export type ConfigurationDifference = z.output<typeof difference>;

export const exportConfiguration = endpoint({
  method: 'GET',
  path: '/org/configuration',
  area,
  access,
  summary:
    'Export settings, roles, emails, FAQ, APIs, applications and webhooks as a file, excluding people and secrets',
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
  summary: "Preview an import's changes and all errors that would prevent the import; nothing is saved",
  unversioned: 'reads',
  body: z.object({ configuration: written }),
  bodyBytes: BODY_BYTES,
  reply: difference,
  // A preview doesn't modify any data, so there is no audit event.
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
