import { type AppType, LIMITS, type PublicKey } from '@orchestrate/shared';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Tx } from '../database.ts';
import { endAllSignIns } from '../repos/sign-in/all-sign-ins.ts';
import { findWorld, setKeysFrom } from '../repos/worlds.ts';
import { activationCodes, applications, devices, invitations, organisations, virtualDevices } from '../schema/index.ts';
import { openIn, SEALED_COLUMNS, sealIn } from '../sealed-columns.ts';
import type { Sealed } from '../vault.ts';
import { acmeApplications, acmeProvisioning, globexApplications } from './applications.ts';
import { deviceScalar, thumbprintOf } from './device-keys.ts';
import { FROM_NAMES } from './key-source.ts';
import { webhookSecret } from './world/connection-rows.ts';
import { createValueGenerator, type ValueGenerator } from './world/value-generator.ts';

/** Columns with secrets that a seed derives. */
const SECRETS = [
  'client_secrets.secret',
  'network_clients.secret',
  'portal_oidc.clientSecret',
  'scim_credentials.password',
  'provisioning_targets.secret',
  'webhooks.secret',
  'webhooks.oldSecret',
] as const;

interface StoredSecret {
  column: (typeof SECRETS)[number];
  /** Values of the row's key columns, as in `SEALED_COLUMNS`. */
  key: string[];
  secret: string;
}

/** Secrets that anyone can compute, because a seed derived them from names alone. */
export interface PredictableKeys {
  /** Simulated devices. */
  devices: { zid: string }[];
  secrets: StoredSecret[];
  /** Unused activation codes. */
  codes: { suid: string; type: AppType }[];
  /** Hashes of unused invitations. */
  invitations: string[];
}

/** Finds the secrets in this database that equal those a seed derives from names. */
export function findPredictableKeys(tx: Tx): PredictableKeys {
  const generator = createValueGenerator(
    { randomSeed: findWorld(tx)?.randomSeed ?? '', organisations: [] },
    0,
    FROM_NAMES,
  );
  const predictable = secretsFromNames(tx, generator);
  return {
    devices: devicesFromNames(tx, generator),
    secrets: SECRETS.flatMap((column) => secretsIn(tx, column)).filter(({ secret }) => predictable.has(secret)),
    codes: tx
      .select({ suid: activationCodes.suid, type: activationCodes.type, code: activationCodes.code })
      .from(activationCodes)
      .where(isNull(activationCodes.usedAt))
      .all()
      .filter(({ suid, type, code }) =>
        codesFromNames(suid, type, generator).includes(openIn(tx, 'activation_codes.code', `${suid} ${type}`, code)),
      ),
    invitations: tx
      .select({ hash: invitations.hash, suid: invitations.suid })
      .from(invitations)
      .where(isNull(invitations.closedAt))
      .all()
      .filter(({ hash, suid }) =>
        positions(INVITATIONS).some((nth) => hash === generator.secret(`invitation ${suid} ${nth}`)),
      )
      .map(({ hash }) => hash),
  };
}

function devicesFromNames(tx: Tx, { randomSeed }: ValueGenerator): PredictableKeys['devices'] {
  const rows = tx.select({ zid: virtualDevices.zid, privateKey: virtualDevices.privateKey }).from(virtualDevices).all();
  return rows.filter(({ zid, privateKey }) => {
    const { d } = JSON.parse(openIn(tx, 'virtual_devices.privateKey', zid, privateKey));
    return d === deviceScalar(zid, randomSeed, FROM_NAMES).toString('base64url');
  });
}

/** Numbers of list positions to check: more than a world can have. */
const CLIENT_SECRETS = 4 * LIMITS.clientSecrets;
const WEBHOOKS = 200;
const INVITATIONS = 20;

const positions = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** Returns the secrets of the demo, and of a world with these organisations and applications. */
function secretsFromNames(tx: Tx, { secret }: ValueGenerator): Set<string> {
  const codes = tx.select({ code: organisations.orgCode }).from(organisations).all();
  const apps = tx.select({ orgCode: applications.orgCode, appId: applications.appId }).from(applications).all();
  const demo = [...acmeApplications(FROM_NAMES), ...globexApplications(FROM_NAMES)];
  return new Set([
    ...demo.flatMap(({ oidc }) => (oidc?.secrets ?? []).map((row) => row.secret ?? '')),
    acmeProvisioning(FROM_NAMES)?.password ?? '',
    ...codes.flatMap(({ code }) => [
      secret(`scim password ${code}`),
      ...positions(WEBHOOKS).map((at) => webhookSecret(secret(`webhook ${code} ${at}`))),
    ]),
    ...apps.flatMap(({ orgCode, appId }) => [
      secret(`network client ${orgCode}/${appId}`),
      secret(`provisioning ${orgCode}/${appId}`),
      ...positions(CLIENT_SECRETS).map((at) => secret(`client ${orgCode}/${appId} ${at}`)),
    ]),
  ]);
}

/** Returns the activation codes of a person in a world and in the demo, which draws the age of a code first. */
function codesFromNames(suid: string, type: AppType, generator: ValueGenerator): string[] {
  const name = `${type} code ${suid}`;
  const demo = FROM_NAMES.prng(name);
  demo.below(1);
  return [generator.code(name, LIMITS.activationCodeLength), demo.digits(LIMITS.activationCodeLength)];
}

function secretsIn(tx: Tx, column: StoredSecret['column']): StoredSecret[] {
  const { table, field, names } = partsOf(column);
  const rows = tx.values<string[]>(
    sql`SELECT ${sql.join([field, ...names], sql`, `)} FROM ${table} WHERE ${field} IS NOT NULL`,
  );
  return rows.map(([text = '', ...key]) => ({
    column,
    key,
    secret: openIn(tx, column, key.join(' '), text as Sealed),
  }));
}

function setSecret(tx: Tx, { column, key, secret }: StoredSecret): void {
  const { table, field, names } = partsOf(column);
  const isRow = names.map((name, at) => sql`${name} = ${key[at]}`);
  tx.run(sql`UPDATE ${table} SET ${field} = ${sealIn(tx, column, key.join(' '), secret)}
    WHERE ${sql.join(isRow, sql` AND `)}`);
}

function partsOf(column: StoredSecret['column']) {
  const [table = '', field = ''] = column.split('.');
  const names = SEALED_COLUMNS[column].map((name) => sql.identifier(name));
  return { table: sql.identifier(table), field: sql.identifier(field), names };
}

/** Generates random replacements for predictable keys. */
export interface Replacements {
  /** 256 bits, base64url. */
  secret(): string;
  deviceKey(): PublicKey & { d: string };
}

/**
 * Replaces keys; call it inside a transaction. Simulated devices get new keys; secrets get new values; activation codes
 * and invitations are deleted. Every sign-in ends, because it may have come from the old keys, also through another
 * organisation. Keys that the database generates later are derived from its installation.
 * @param now in milliseconds
 */
export function replacePredictableKeys(tx: Tx, found: PredictableKeys, make: Replacements, now: number): void {
  for (const { zid } of found.devices) {
    const privateKey = make.deviceKey();
    const { d: _private, ...publicKey } = privateKey;
    tx.update(devices)
      .set({ publicKey, thumbprint: thumbprintOf(publicKey) })
      .where(eq(devices.zid, zid))
      .run();
    const sealedKey = sealIn(tx, 'virtual_devices.privateKey', zid, JSON.stringify(privateKey));
    tx.update(virtualDevices).set({ privateKey: sealedKey }).where(eq(virtualDevices.zid, zid)).run();
  }
  // An application and the provider that points to it share one secret.
  const replaced = new Map<string, string>();
  for (const { secret, ...row } of found.secrets) {
    const replacement =
      replaced.get(secret) ?? (row.column.startsWith('webhooks.') ? webhookSecret(make.secret()) : make.secret());
    replaced.set(secret, replacement);
    setSecret(tx, { ...row, secret: replacement });
  }
  for (const { suid, type } of found.codes) {
    tx.delete(activationCodes)
      .where(and(eq(activationCodes.suid, suid), eq(activationCodes.type, type)))
      .run();
  }
  if (found.invitations.length > 0) tx.delete(invitations).where(inArray(invitations.hash, found.invitations)).run();
  endAllSignIns(tx, now);
  setKeysFrom(tx, 'installation');
}
