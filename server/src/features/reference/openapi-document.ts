import { contract, type EndpointDefinition, RESULT_NAMES, SYSTEM_ROLES } from '@orchestrate/shared';
import type { Deps } from '../../deps.ts';
import { VERSION } from '../../platform/version.ts';
import { AREAS, areasOf } from './areas.ts';
import { hoistDefinitions } from './hoist-definitions.ts';
import type { Json } from './json-schema-of.ts';
import { operationOf } from './operation-of.ts';
import { refusalNameOf, refusalSchemaOf } from './refusal-schemas.ts';
import { replyNameOf, replySchemaOf } from './reply-schemas.ts';
import { resultsOf } from './results-of.ts';

/** OpenAPI 3.1.1 for tools, generated from what is registered. */
export function openApiDocument({ endpoints }: Pick<Deps['registered'], 'endpoints'>, publicUrl: string): object {
  return hoistDefinitions({
    openapi: '3.1.1',
    info: {
      title: 'Orchestrate',
      version: VERSION,
      summary: 'Sign-in without passwords, and the administration of people and devices',
      description: DESCRIPTION,
      license: { name: 'Not for distribution', identifier: 'LicenseRef-Private' },
    },
    servers: [{ url: `${publicUrl}/api`, description: 'This portal' }],
    externalDocs: { url: `${publicUrl}/docs/asyncapi.json`, description: 'The live channels, as AsyncAPI 3.0' },
    tags: areasOf(endpoints).map((name) => ({ name, description: AREAS[name] })),
    paths: pathsOf(endpoints),
    components: { securitySchemes: SECURITY_SCHEMES, schemas: schemasOf(endpoints) },
    'x-system-roles': Object.fromEntries(SYSTEM_ROLES.map(({ roleCode, permissions }) => [roleCode, permissions])),
  });
}

const DESCRIPTION = `Every answer is a flat JSON object with \`resultCode\`; 0 is success. A refusal adds \`resultName\`, \`message\` for people and
\`requestId\`.

**A refusal may travel under HTTP 200**: look at \`resultCode\`, or whether there is a \`resultName\`. Each answer is described as the union of
its success, whose \`resultCode\` is constant, and its refusals, which \`resultName\` tells apart.

**Versions.** What can be edited has one: a read answers with \`ETag\`, a write that sends it back as \`If-Match\` is refused with 412 where somebody
else has saved in the meantime, and says what.

**Unknown fields** of a body or query are ignored, except by the lab, which refuses them.`;

const SECURITY_SCHEMES = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The `token` of a sign-in (`POST /user/login`), ten minutes long; `POST /refresh` gives the next one. In a test, `POST /lab/sessions` signs somebody in with one call.',
  },
  labToken: {
    type: 'http',
    scheme: 'bearer',
    description: '`LAB_TOKEN` of the portal. Not needed where the portal is local and the caller on the same machine.',
  },
};

function pathsOf(endpoints: readonly EndpointDefinition[]): Record<string, Json> {
  const paths: Record<string, Json> = {};
  for (const entry of endpoints) {
    const path = entry.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [entry.method.toLowerCase()]: operationOf(entry, nameOf(entry)) };
  }
  return paths;
}

function schemasOf(endpoints: readonly EndpointDefinition[]): Json {
  const replies = endpoints
    .filter(({ document }) => !document)
    .map((entry) => [replyNameOf(entry, nameOf(entry)), replySchemaOf(entry)]);
  const refused = new Set(
    endpoints.flatMap((entry) => resultsOf(entry).filter(({ isRefusal }) => isRefusal)).map(({ name }) => name),
  );
  const refusals = RESULT_NAMES.filter((name) => refused.has(name)).map((name) => [
    refusalNameOf(name),
    refusalSchemaOf(name),
  ]);
  return Object.fromEntries([...replies, ...refusals]);
}

const NAMES = new Map<unknown, string>(Object.entries(contract).map(([name, entry]) => [entry, name]));

/** The name of an entry in `contract`; for one that is not there, a name made of its method and path. */
export function nameOf(entry: EndpointDefinition): string {
  const words = `${entry.method.toLowerCase()}${entry.path}`.split(/\W+/);
  return (
    NAMES.get(entry) ??
    words.map((word, index) => (index ? word.charAt(0).toUpperCase() + word.slice(1) : word)).join('')
  );
}
