import { oddValue } from '@orchestrate/server/testing/hostile';
import fc from 'fast-check';
import { deeplyNestedJson, sender } from './api-attempts.ts';
import type { Attempt } from './attempt.ts';
import { unusualText } from './odd-fields.ts';

const SCIM = 'application/scim+json';

const attributePath = fc.constantFrom(
  'userName',
  'name.familyName',
  'emails[type eq "work"].value',
  'meta',
  'x'.repeat(500),
  'a.b.c.d',
);
const condition = fc
  .tuple(attributePath, fc.constantFrom('eq', 'co', 'sw', 'pr', 'gt', 'ne', 'xx'), unusualText)
  .map(([path, operator, value]) => `${path} ${operator} ${JSON.stringify(value.toWellFormed())}`);

const filter = fc.oneof(
  fc.array(condition, { minLength: 1, maxLength: 80 }).map((all) => all.join(' or ')),
  fc
    .tuple(fc.integer({ min: 1, max: 1_500 }), condition)
    .map(([depth, inner]) => '('.repeat(depth) + inner + ')'.repeat(depth)),
  fc
    .tuple(fc.integer({ min: 1, max: 300 }), condition)
    .map(([times, inner]) => `${'not ('.repeat(times)}${inner}${')'.repeat(times)}`),
  unusualText,
);

const USER = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: 'fuzz@acme.test',
  name: { givenName: 'F', familyName: 'Z' },
};

const scimBody = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .dictionary(fc.constantFrom(...Object.keys(USER), 'emails', 'active', 'roles', '__proto__'), oddValue, {
        noNullPrototype: true,
      })
      .map((changes) => JSON.stringify({ ...USER, ...changes })),
  },
  {
    weight: 2,
    arbitrary: fc
      .array(
        fc.record({
          op: fc.constantFrom('add', 'replace', 'remove', 'move'),
          path: fc.oneof(attributePath, unusualText),
          value: oddValue,
        }),
        { maxLength: 6 },
      )
      .map((Operations) => JSON.stringify({ schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations })),
  },
  {
    weight: 1,
    arbitrary: fc
      .array(
        fc.record({
          method: fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE', 'GET'),
          path: unusualText,
          bulkId: unusualText,
          data: oddValue,
        }),
        { maxLength: 6 },
      )
      .map((Operations) =>
        JSON.stringify({ schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations }),
      ),
  },
  { weight: 1, arbitrary: deeplyNestedJson },
  { weight: 1, arbitrary: fc.string({ maxLength: 200 }) },
);

/** SCIM filters, patches, bulk requests and resources that no real directory would send. */
export const scimAttempt: fc.Arbitrary<Attempt> = fc
  .record({
    org: fc.constantFrom('acme', 'acme', 'acme', 'globex', 'nobody'),
    resource: fc.constantFrom(
      'Users',
      'Groups',
      'Users/x',
      'Groups/USER',
      'Groups/SUPER_ADMIN',
      'Bulk',
      'Me',
      'Schemas',
      'Users/.search',
    ),
    method: fc.constantFrom('GET', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
    filter,
    sorted: fc.constantFrom(
      '',
      '&sortBy=userName&sortOrder=descending',
      '&startIndex=-5&count=999999999',
      '&attributes=x,y',
    ),
    body: scimBody,
    sender: fc.oneof({ weight: 6, arbitrary: fc.constant('directory' as const) }, { weight: 1, arbitrary: sender }),
  })
  .map(({ org, resource, method, filter, sorted, body, sender }) => {
    const path = `/scim/v2/${org}/${resource}`;
    const query = `?filter=${encodeURIComponent(filter.toWellFormed())}${sorted}`.slice(0, 12_000);
    return {
      kind: 'http',
      what: `SCIM ${method} ${path}`,
      method,
      path: method === 'GET' ? path + query : path,
      type: SCIM,
      body: method === 'GET' || method === 'DELETE' ? null : body,
      sender,
    };
  });
