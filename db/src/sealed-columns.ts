import { maskAddress } from '@orchestrate/shared';
import type Sqlite from 'better-sqlite3';
import { type TableRows, type Tx, vaultOf } from './database.ts';
import { keyIdOf, type Sealed, type Vault } from './vault.ts';

/**
 * Masks webhook and SCIM service URLs that earlier versions recorded in the audit trail and in deliveries. Suspends
 * the trigger that otherwise keeps the audit trail unchanged. Must run inside a transaction.
 * @returns true if anything was masked
 */
function maskRecordedAddresses(raw: Sqlite.Database): boolean {
  raw.function('masked_text', { deterministic: true }, (text) => maskText(String(text)));
  const deliveries = raw.prepare(
    `UPDATE webhook_deliveries SET payload = masked_text(payload)
      WHERE type GLOB 'webhook.*' OR type GLOB 'app-provisioning.*'`,
  );
  return [maskTrail(raw), deliveries.run().changes > 0].includes(true);
}

const GUARD = 'audit_events_updating';
const RECORDED = `objectType IN ('webhook', 'app-provisioning')`;

function maskTrail(raw: Sqlite.Database): boolean {
  if (raw.prepare(`SELECT 1 FROM audit_events WHERE ${RECORDED} LIMIT 1`).get() === undefined) return false;
  const guard = raw.prepare<[string], string>('SELECT sql FROM sqlite_schema WHERE name = ?').pluck().get(GUARD);
  if (guard === undefined) throw new Error(`Expected trigger ${GUARD}.`);
  const texts = `SELECT id, text, marks FROM audit_search_texts
    WHERE id IN (SELECT id FROM audit_events WHERE ${RECORDED})`;
  raw.exec(`
    DROP TRIGGER ${GUARD};
    INSERT INTO audit_search (audit_search, rowid, text, marks) SELECT 'delete', id, text, marks FROM (${texts});
    UPDATE audit_events SET objectName = masked_text(objectName), changes = masked_text(changes) WHERE ${RECORDED};
    INSERT INTO audit_search (rowid, text, marks) ${texts};
    ${guard}`);
  return true;
}

const maskText = (text: string): string => text.replaceAll(/https?:\/\/[^\s"\\<>]+/g, maskAddress);

/**
 * All sealed columns, as `table.column`, with the columns that identify their rows. Their values are sealed by the
 * repositories and the seed. At the next start, every listed column still in plain text is sealed too.
 */
export const SEALED_COLUMNS = {
  'signing_keys.privateJwk': ['kid'],
  'oidc_keys.privateJwk': ['kid'],
  'saml_keys.privateKey': ['kid'],
  'virtual_devices.privateKey': ['zid'],
  'client_secrets.secret': ['id'],
  'network_clients.secret': ['orgCode', 'appId'],
  'portal_oidc.clientSecret': ['orgCode'],
  'scim_credentials.password': ['orgCode'],
  'provisioning_targets.url': ['orgCode', 'appId'],
  'provisioning_targets.secret': ['orgCode', 'appId'],
  'webhooks.url': ['id'],
  'webhooks.secret': ['id'],
  'webhooks.oldSecret': ['id'],
  'activation_codes.code': ['suid', 'type'],
  'one_time_codes.hash': ['id'],
  'outbox.code': ['id'],
} as const satisfies Record<`${string}.${string}`, readonly string[]>;

export type SealedColumn = keyof typeof SEALED_COLUMNS;

const COLUMNS = Object.entries(SEALED_COLUMNS).map(([name, key]: [string, readonly string[]]) => {
  const [table = '', column = ''] = name.split('.');
  return { name, table, column, key };
});

/** Returns the location that a sealed value is bound to. */
const locationOf = (name: string, key: string): string => `${name} ${key}`;

/**
 * Seals a row's value.
 * @param key values of the row's key columns in `SEALED_COLUMNS`, joined by spaces
 */
export const sealValue = (tx: Tx, name: SealedColumn, key: string, text: string): Sealed =>
  vaultOf(tx).seal(locationOf(name, key), text);

/**
 * Unseals a row's value.
 * @throws SealBroken if the value was changed or copied from another row
 */
export const unsealValue = (tx: Tx, name: SealedColumn, key: string, text: Sealed): string =>
  vaultOf(tx).open(locationOf(name, key), text);

/** Seals the secrets in rows that are written without the repositories. */
export function sealRows(vault: Vault, { table, columns, values }: TableRows): TableRows {
  const secrets = COLUMNS.filter((secret) => secret.table === table);
  if (secrets.length === 0) return { table, columns, values };
  const sealed = secrets.map(({ name, column, key }) => {
    const parts = key.map((part) => columns.indexOf(part));
    return { name, at: columns.indexOf(column), parts };
  });
  return {
    table,
    columns,
    values: values.map((row) => {
      const sealedRow = [...row];
      for (const { name, at, parts } of sealed) {
        const location = locationOf(name, parts.map((part) => String(row[part])).join(' '));
        if (row[at] !== null) sealedRow[at] = vault.seal(location, String(row[at]));
      }
      return sealedRow;
    }),
  };
}

/** A row as returned by SQLite. */
export type Row = Record<string, unknown>;

/**
 * Unseals the secrets in rows that were read without the repositories.
 * @throws SealBroken
 */
export function unsealRows(vault: Vault, table: string, rows: readonly Row[]): Row[] {
  const secrets = COLUMNS.filter((secret) => secret.table === table);
  return rows.map((row) => {
    const opened = secrets.map(({ name, column, key }) => {
      const location = locationOf(name, key.map((part) => String(row[part])).join(' '));
      return [column, row[column] === null ? null : vault.open(location, String(row[column]) as Sealed)];
    });
    return { ...row, ...Object.fromEntries(opened) };
  });
}

/** A row of `sealed_columns`. */
interface Listed {
  name: string;
  keyId: string;
  probe: string;
  scrubbed: number;
}

function listed(raw: Sqlite.Database): Listed[] {
  const isThere = raw.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'sealed_columns'`).get() !== undefined;
  return isThere ? raw.prepare<[], Listed>('SELECT name, keyId, probe, scrubbed FROM sealed_columns').all() : [];
}

/** Returns true if these vaults can unseal all sealed columns. Never writes. */
export function canUnsealAll(raw: Sqlite.Database, vaults: readonly Vault[]): boolean {
  return listed(raw).every(({ name, probe }) => {
    const vault = vaults.find(({ keyId }) => keyId === keyIdOf(probe));
    return vault !== undefined && isOpenedBy(vault, name, probe);
  });
}

function isOpenedBy(vault: Vault, name: string, probe: string): boolean {
  try {
    return vault.open(locationOf(name, 'probe'), probe as Sealed) === name;
  } catch {
    return false;
  }
}

/**
 * Seals plain text and reseals values sealed with an older key, in a single transaction. Never writes if there is
 * nothing to do.
 * @param older vaults for values that `vault` can't unseal
 */
export function sealColumns(raw: Sqlite.Database, vault: Vault, older: readonly Vault[]): void {
  const keyIds = new Map(listed(raw).map((row) => [row.name, row.keyId]));
  const due = COLUMNS.filter(({ name }) => keyIds.get(name) !== vault.keyId);
  if (due.length === 0) return;
  raw.function('sealed_anew', { deterministic: true }, (name, key, text) => {
    const location = locationOf(String(name), String(key));
    const from = keyIds.get(String(name));
    const opened = from === undefined ? String(text) : vaultCalled(from, older).open(location, String(text) as Sealed);
    return vault.seal(location, opened);
  });
  const list = raw.prepare('INSERT OR REPLACE INTO sealed_columns (name, keyId, probe, scrubbed) VALUES (?, ?, ?, ?)');
  raw.transaction(() => {
    for (const { name, table, column, key } of due) {
      const { changes } = raw
        .prepare(
          `UPDATE "${table}" SET "${column}" = sealed_anew(?, ${key.map((part) => `"${part}"`).join(` || ' ' || `)}, "${column}") WHERE "${column}" IS NOT NULL`,
        )
        .run(name);
      list.run(name, vault.keyId, vault.seal(locationOf(name, 'probe'), name), changes === 0 ? 1 : 0);
    }
    // Versions that stored webhook URLs in plain text also recorded URLs in plain text in the audit trail and in
    // deliveries, so mask those.
    const isMasked = !keyIds.has('webhooks.url') && maskRecordedAddresses(raw);
    if (isMasked) raw.exec(`UPDATE sealed_columns SET scrubbed = 0 WHERE name = 'webhooks.url'`);
  })();
}

function vaultCalled(keyId: string, vaults: readonly Vault[]): Vault {
  const found = vaults.find((vault) => vault.keyId === keyId);
  if (!found) throw new Error(`Key ${keyId} is missing.`);
  return found;
}

/**
 * Rewrites the file, because its free pages may still contain plain text that has since been sealed. If there isn't
 * enough disk space, the next start tries again. Must not run inside a transaction.
 */
export function scrubColumns(raw: Sqlite.Database): void {
  if (listed(raw).every(({ scrubbed }) => scrubbed === 1)) return;
  // Rewriting needs a second copy of the whole database, which may not fit into memory.
  raw.pragma('temp_store = FILE');
  try {
    raw.exec('VACUUM');
    raw.exec('UPDATE sealed_columns SET scrubbed = 1');
    raw.pragma('wal_checkpoint(TRUNCATE)');
  } catch (reason) {
    if (!(reason instanceof Error && 'code' in reason && reason.code === 'SQLITE_FULL')) throw reason;
  }
}
