import { type AppType, LIMITS, type PublicKey } from '@orchestrate/shared';
import { and, eq, inArray, isNull, sql } from '#drizzle';
import type { Tx } from '../database.ts';
import { endAllSignIns } from '../repos/sign-in/all-sign-ins.ts';
import { findWorld, setKeyOrigin } from '../repos/worlds.ts';
import { activationCodes, applications, devices, invitations, organisations, virtualDevices } from '../schema/index.ts';
import { SEALED_COLUMNS, sealValue, unsealValue } from '../sealed-columns.ts';
import type { Sealed } from '../vault.ts';
import { acmeApplications, acmeProvisioning, globexApplications } from './applications.ts';
import { deviceScalar, thumbprintOf } from './device-keys.ts';
import { NAMES_KEY_SOURCE } from './key-source.ts';
import { webhookSecret } from './world/connection-rows.ts';
import { createValueGenerator, type ValueGenerator } from './world/value-generator.ts';

/** Columns with secrets derived by a seed. */
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
  /** Values of the row's key columns in `SEALED_COLUMNS`. */
  key: string[];
  secret: string;
}

/** Secrets anyone can compute because a seed derived them from names alone. */
export interface PredictableKeys {
  /** Simulated devices with predictable keys. */
  devices: { zid: string }[];
  secrets: StoredSecret[];
  /** Unused activation codes. */
  codes: { suid: string; type: AppType }[];
  /** Hashes of unused invitations. */
  invitations: string[];
}

/** Finds secrets in this database that a seed derived from names alone. */
export function findPredictableKeys(tx: Tx): PredictableKeys {
  const generator = createValueGenerator(
    { randomSeed: findWorld(tx)?.randomSeed ?? '', organisations: [] },
    0,
    NAMES_KEY_SOURCE,
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
        codesFromNames(suid, type, generator).includes(
          unsealValue(tx, 'activation_codes.code', `${suid} ${type}`, code),
        ),
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
    const { d } = JSON.parse(unsealValue(tx, 'virtual_devices.privateKey', zid, privateKey));
    return d === deviceScalar(zid, randomSeed, NAMES_KEY_SOURCE).toString('base64url');
  });
}

/** How many client secrets to check. Exceeds the number a world can have. */
const CLIENT_SECRETS = 4 * LIMITS.clientSecrets;
const WEBHOOKS = 200;
const INVITATIONS = 20;

const positions = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** Returns the predictable secrets of the demo and of a world with these organisations and applications. */
function secretsFromNames(tx: Tx, { secret }: ValueGenerator): Set<string> {
  const codes = tx.select({ code: organisations.orgCode }).from(organisations).all();
  const apps = tx.select({ orgCode: applications.orgCode, appId: applications.appId }).from(applications).all();
  const demo = [...acmeApplications(NAMES_KEY_SOURCE), ...globexApplications(NAMES_KEY_SOURCE)];
  return new Set([
    ...demo.flatMap(({ oidc }) => (oidc?.secrets ?? []).map((row) => row.secret ?? '')),
    acmeProvisioning(NAMES_KEY_SOURCE)?.password ?? '',
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

/**
 * Returns a person's predictable activation codes, both for a world and for the demo, which draws a code's age before
 * the code itself.
 */
function codesFromNames(suid: string, type: AppType, generator: ValueGenerator): string[] {
  const name = `${type} code ${suid}`;
  const demo = NAMES_KEY_SOURCE.prng(name);
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
    secret: unsealValue(tx, column, key.join(' '), text as Sealed),
  }));
}

function setSecret(tx: Tx, { column, key, secret }: StoredSecret): void {
  const { table, field, names } = partsOf(column);
  const isRow = names.map((name, at) => sql`${name} = ${key[at]}`);
  tx.run(sql`UPDATE ${table} SET ${field} = ${sealValue(tx, column, key.join(' '), secret)}
    WHERE ${sql.join(isRow, sql` AND `)}`);
}

function partsOf(column: StoredSecret['column']) {
  const [table = '', field = ''] = column.split('.');
  const names = SEALED_COLUMNS[column].map((name) => sql.identifier(name));
  return { table: sql.identifier(table), field: sql.identifier(field), names };
}

/** Generates random replacements for predictable secrets. */
export interface ReplacementGenerator {
  /** Returns 256 random bits, base64url. */
  secret(): string;
  deviceKey(): PublicKey & { d: string };
}

/**
 * Replaces predictable keys. Must run inside a transaction. Simulated devices get new keys, secrets get new values,
 * and activation codes and invitations are deleted. All sign-ins end, because any of them may have used the old keys,
 * even through another organisation. Afterwards, the database derives keys with the origin `installation`.
 * @param now in milliseconds
 */
export function replacePredictableKeys(tx: Tx, found: PredictableKeys, make: ReplacementGenerator, now: number): void {
  for (const { zid } of found.devices) {
    const privateKey = make.deviceKey();
    const { d: _private, ...publicKey } = privateKey;
    tx.update(devices)
      .set({ publicKey, thumbprint: thumbprintOf(publicKey) })
      .where(eq(devices.zid, zid))
      .run();
    const sealedKey = sealValue(tx, 'virtual_devices.privateKey', zid, JSON.stringify(privateKey));
    tx.update(virtualDevices).set({ privateKey: sealedKey }).where(eq(virtualDevices.zid, zid)).run();
  }
  // An application and the provider configuration that points to it share a secret, so both must get the same
  // replacement.
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
  setKeyOrigin(tx, 'installation');
}
