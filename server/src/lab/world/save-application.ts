import {
  applicationRepo,
  clientSecretRepo,
  exportApplication,
  groupRepo,
  memberRepo,
  organisationRepo,
  radiusLdapClientRepo,
  roleRepo,
  saveWorldApplication,
  scimSchemaRepo,
} from '@orchestrate/db';
import {
  type contract,
  LIMITS,
  type ReplyOf,
  type RequestOf,
  type WorldApplication,
  worldApplication,
} from '@orchestrate/shared';
import { appIdFor } from '#core/app-id.ts';
import { baseDnOf, requireApplication, serviceDnOf } from '#core/applications.ts';
import { factsOf } from '#core/audit/facts-of.ts';
import { record } from '#core/audit/record.ts';
import { requiresHttps } from '#core/requires-https.ts';
import type { Deps } from '#deps.ts';
import { isSameSecret } from '#platform/adapters/secrets.ts';
import type { AuditActor } from '#platform/http/callers/actors.ts';
import { isLocalPortal } from '#platform/http/callers/local-portal.ts';
import { readShape, type ShapeIssue } from '#platform/http/requests/read-shape.ts';
import { fullAddress, idpAddresses, oidcAddresses } from '#platform/own-addresses.ts';
import { Refusal, refuseField } from '#platform/refusal.ts';
import { requireOrgCode } from '../phones/find-phone.ts';
import { checkApplications } from './check-applications.ts';
import { createSuggestName, createUniquenessCheck, fields } from './raw.ts';
import { runUnlessReset } from './run-unless-reset.ts';

type Given = RequestOf<typeof contract.makeApplication>['body'];
type Saved = ReplyOf<typeof contract.makeApplication>;

/** Settings that a change merges field by field. All other fields are replaced. */
const PARTS = ['oidc', 'saml', 'radius', 'ldap', 'provisioning'] as const;

/**
 * Creates an application, or changes the fields in the request. Reads and checks them as those of a world.
 * @returns data that a client needs
 * @throws Refusal ORG_CODE_NOT_FOUND; INVALID_REQUEST with every error
 */
export function saveApplication(
  deps: Deps,
  actor: AuditActor,
  { org, ...given }: Given,
): Promise<Omit<Saved, 'resultCode'>> {
  return runUnlessReset(deps, async () => {
    requireOrgCode(deps, 'org', org);
    const id = given.id ?? idOf(deps, org, given.name ?? '');
    const present = exportApplication(deps.db, org, id);
    const type = given.type ?? present?.type ?? PARTS.find((part) => part !== 'provisioning' && given[part]) ?? 'oidc';
    if (present && type !== present.type)
      refuseField('type', `${id} is an application of type ${present.type}. The type cannot be changed`);
    const app = await readApplication(deps, org, { ...mergeParts(fields(present), given), id, type });
    const kind = present?.oidc?.kind;
    if (kind !== undefined && app.oidc?.kind !== kind)
      refuseField('oidc.kind', `${id} is a ${kind} client. The kind cannot be changed`);
    // An unchanged service must not send all members again.
    const { provisioning, ...rest } = app;
    const saved = given.provisioning === undefined ? rest : { ...rest, provisioning };
    deps.db.transaction((tx) => {
      saveWorldApplication(tx, org, saved, deps.clock.now());
      const { name } = requireApplication(tx, org, id);
      const action = present ? 'application.updated' : 'application.created';
      const before = present && { before: factsOfWorld(present) };
      const facts = { ...before, after: factsOfWorld(exportApplication(tx, org, id) ?? {}) };
      record(deps, tx, { ...actor, orgCode: org }, { action, object: { type: 'application', id, name }, ...facts });
    });
    return clientDataOf(deps, org, id);
  });
}

/** Returns the ID of the application with this name, or an ID for a new one. */
const idOf = ({ db }: Deps, orgCode: string, name: string): string =>
  applicationRepo.findAppIdByName(db, orgCode, name) ?? appIdFor(name, applicationRepo.listAppIds(db, orgCode));

function mergeParts(present: Record<string, unknown>, given: Omit<Given, 'org'>): Record<string, unknown> {
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const parts = PARTS.flatMap((part) =>
    set[part] === undefined ? [] : [[part, { ...fields(present[part]), ...fields(set[part]) }]],
  );
  return { ...present, ...set, ...Object.fromEntries(parts) };
}

/** Parses an application and checks what it refers to. @throws Refusal INVALID_REQUEST with every error */
async function readApplication(deps: Deps, orgCode: string, raw: Record<string, unknown>): Promise<WorldApplication> {
  const { db, config } = deps;
  const issues: ShapeIssue[] = [];
  const complain = (path: ShapeIssue['path'], message: string) => void issues.push({ path, message });
  // Undefined fields come from the export, in which absent settings are undefined.
  const written = fields(JSON.parse(JSON.stringify(raw)));
  const read = readShape(worldApplication, written);
  if ('issues' in read) issues.push(...read.issues.map(({ path, message }) => ({ path: [0, ...path], message })));
  const { people = [] } = fields(written.usableBy);
  const ids = (Array.isArray(people) ? people : []).filter((named) =>
    memberRepo.findMember(db, orgCode, String(named)),
  );
  await checkApplications(
    [written],
    {
      isLocal: isLocalPortal(config),
      portalName: '',
      names: [...memberRepo.listEmails(db, orgCode), ...ids],
      groups: groupRepo.listGroups(db, orgCode).map(({ nameKey }) => nameKey),
      primaryAttrField: organisationRepo.findOrganisation(db, orgCode)?.primaryAttrField ?? '',
      attributes: new Set(
        scimSchemaRepo
          .listScimSchemas(db, orgCode)
          .flatMap(({ urn, attributes }) => attributes.map(({ name }) => `${urn}:${name}`)),
      ),
      needsHttps: (address) => requiresHttps(config, address),
    },
    {
      orgCode,
      path: [],
      roles: roleRepo.listRoles(db, orgCode).map(({ roleCode }) => roleCode),
      complain,
      unique: createUniquenessCheck(complain),
      didYouMean: createSuggestName(),
    },
  );
  if (!('issues' in read)) checkOthers(deps, orgCode, read.data, complain);
  if ('issues' in read || issues.length > 0) {
    const unique = new Map(
      issues.map(({ path: [, ...path], message }) => [`${path}: ${message}`, { path: path.join('.'), message }]),
    );
    throw new Refusal('INVALID_REQUEST', { issues: [...unique.values()] });
  }
  return read.data;
}

/** Checks an application against the organisation's other applications. */
function checkOthers(
  { db }: Deps,
  orgCode: string,
  { id, name = id, type, radius }: WorldApplication,
  complain: (path: ShapeIssue['path'], message: string) => void,
): void {
  const other = applicationRepo.findAppIdByName(db, orgCode, name, id);
  if (other !== undefined) complain([0, 'name'], `The application ${other} already has this name.`);
  if (type !== 'radius') return;
  const gateways = radiusLdapClientRepo.listRadiusClients(db, orgCode).filter(({ appId }) => appId !== id);
  if (gateways.length >= LIMITS.radiusApps)
    complain(
      [0, 'type'],
      `You've reached the limit of ${LIMITS.radiusApps} RADIUS applications. Delete one to add another.`,
    );
  if (radius?.secret !== undefined && gateways.some(({ secret }) => isSameSecret(secret, radius.secret ?? '')))
    complain(
      [0, 'radius', 'secret'],
      'Another RADIUS application in your organisation uses this secret. Choose a different one.',
    );
}

/** Returns an application's settings for the audit trail, without secrets. */
function factsOfWorld(app: Partial<NonNullable<ReturnType<typeof exportApplication>>>) {
  const {
    id: _id,
    createdAt: _since,
    logo: _picture,
    provisioning: _service,
    radius,
    ldap: _ldap,
    oidc,
    ...rest
  } = app;
  const { secrets: _secrets, registrationTokenHash: _hash, ...client } = oidc ?? {};
  return factsOf({ ...rest, ...(oidc && { client }), ...(radius && { method: radius.method }) });
}

async function clientDataOf(deps: Deps, orgCode: string, appId: string): Promise<Omit<Saved, 'resultCode'>> {
  const { db, clock, ports, publicUrl } = deps;
  const app = requireApplication(db, orgCode, appId);
  const { name, integrationType: type } = app;
  const common = { appId, orgCode, name, type };
  const client = applicationRepo.findOidcClient(db, orgCode, appId);
  if (client) {
    const { issuer, discoveryUrl } = oidcAddresses(publicUrl, orgCode);
    const whole = (address: string) => fullAddress(publicUrl, address);
    const now = clock.now();
    const secrets = clientSecretRepo.listClientSecrets(db, orgCode, appId);
    const oidc = {
      clientId: appId,
      clientSecret: secrets.find(({ expiresAt }) => expiresAt === null || expiresAt > now)?.secret ?? '',
      issuer,
      discoveryUrl,
      redirectUris: client.redirectUris.map(whole),
      postLogoutRedirectUris: client.postLogoutRedirectUris.map(whole),
    };
    return { ...common, oidc };
  }
  if (type === 'saml') {
    const { entityId, singleSignOnUrl, metadataUrl } = idpAddresses(publicUrl, app);
    return { ...common, saml: { entityId, singleSignOnUrl, metadataUrl } };
  }
  const host = new URL(publicUrl).hostname;
  const secret = radiusLdapClientRepo.findRadiusLdapClient(db, orgCode, appId)?.secret ?? '';
  if (type === 'radius') {
    await ports.radius?.settled();
    const port = ports.radius?.of(orgCode);
    return { ...common, radius: { host, port: typeof port === 'number' ? port : null, secret } };
  }
  if (type !== 'ldap') return common;
  const dns = { baseDn: baseDnOf(app), bindDn: serviceDnOf(app) };
  return { ...common, ldap: { host, port: ports.ldap, tlsPort: ports.ldaps, ...dns, secret } };
}
