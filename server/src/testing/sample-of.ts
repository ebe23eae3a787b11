import type { EndpointDefinition } from '@orchestrate/shared';
import { z } from 'zod';

/** Request parts that are valid for an endpoint. */
export interface SampleRequest {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
}

/** Values by field name, for constraints the schemas can't express. */
const KNOWN: Readonly<Record<string, unknown>> = {
  orgCode: 'acme',
  orgId: 'acme',
  org: 'acme',
  q: 'mar',
  configuration: 'organisations: [{ code: acme }]',
  email: 'nobody@acme.test',
  primaryEmail: 'nobody@acme.test',
  nickname: 'Pocket',
  jws: 'a.b.c',
  proof: 'a.b.c',
  x: 'A'.repeat(43),
  y: 'A'.repeat(43),
  redirect_uris: ['https://app.test/callback'],
  post_logout_redirect_uris: ['https://app.test/'],
  jwks: null,
  redirectUrl: 'https://app.test/',
  assertionConsumerServiceUrl: 'https://app.test/acs',
  singleLogoutServiceUrl: 'https://app.test/slo',
  url: 'https://app.test/hook',
  configurationUrl: 'https://login.app.test',
  file: 'PGEvPg==',
  identifier: 'urn:acme:api',
  urn: 'urn:acme:hr:2.0:User',
  attributes: [{ name: 'costCode' }],
  samlAttributes: ['primaryEmail'],
  freezeAt: '2026-03-02T09:30:00.000Z',
};

/**
 * Returns a small valid request for an endpoint, generated from its schemas. It contains only required fields, or all
 * fields if they depend on each other.
 * @throws Error if the sample is invalid, in which case the field must be added to `KNOWN`
 */
export function sampleOf({ params, query, body, method, path }: EndpointDefinition): SampleRequest {
  return {
    ...(params && { params: sampleFor(params, `params of ${method} ${path}`) }),
    ...(query && { query: sampleFor(query, `query of ${method} ${path}`) }),
    ...(body && { body: sampleFor(body, `body of ${method} ${path}`) }),
  };
}

interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  minLength?: number;
}

function sampleFor(schema: z.ZodType, name: string): Record<string, unknown> {
  const json: JsonSchema = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })));
  const smallest = valueFor(json, '', 'required');
  const sample = schema.safeParse(smallest).success ? smallest : valueFor(json, '', 'all');
  const parsed = schema.safeParse(sample);
  if (!parsed.success) throw new Error(`No valid sample for the ${name}: ${parsed.error.message}`);
  return z.record(z.string(), z.unknown()).parse(sample ?? {});
}

function valueFor(schema: JsonSchema, name: string, which: 'required' | 'all'): unknown {
  if (name in KNOWN) return KNOWN[name];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first) return valueFor(first, name, which);
  switch (schema.type) {
    case 'object': {
      const { properties = {}, required = [] } = schema;
      const keys = which === 'all' ? Object.keys(properties) : required;
      return Object.fromEntries(keys.map((key) => [key, valueFor(properties[key] ?? {}, key, which)]));
    }
    case 'array':
      return [];
    case 'number':
    case 'integer':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    default:
      return 'x'.repeat(Math.max(schema.minLength ?? 1, 1));
  }
}
