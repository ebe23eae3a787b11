import { maskAddress } from '@orchestrate/shared';
import type Sqlite from 'better-sqlite3';
import { type TableRows, type Tx, vaultOf } from './database.ts';
import { keyIdOf, type Sealed, type Vault } from './vault.ts';

/**
 * Masks the URLs of webhooks and SCIM services that earlier versions recorded in the audit trail and in deliveries. The
 * trail is otherwise never changed, so this suspends the trigger that guards it. Must run inside a transaction.
 * @returns whether anything was masked
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
  if (guard === undefined) throw new Error(`Expected the trigger ${GUARD}.`);
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
 * All sealed columns, as `table.column`, and the columns that identify their rows. A listed column is sealed by its
 * repository, by the seed, and at the next start in every database that still stores it in plain text.
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

/** Returns the location that a sealed text is bound to. */
const locationOf = (name: string, key: string): string => `${name} ${key}`;

/**
 * Seals the text of one row.
 * @param key the row's key columns, as in `SEALED_COLUMNS`, joined by spaces
 */
export const sealIn = (tx: Tx, name: SealedColumn, key: string, text: string): Sealed =>
  vaultOf(tx).seal(locationOf(name, key), text);

/**
 * Unseals the text of one row.
 * @throws SealBroken if it was changed or comes from another row
 */
export const openIn = (tx: Tx, name: SealedColumn, key: string, text: Sealed): string =>
  vaultOf(tx).open(locationOf(name, key), text);

/** Seals the secrets of rows, for code that writes them without the repositories. */
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
 * Unseals the secrets of a table's rows, for code that reads them without the repositories.
 * @throws SealBroken
 */
export function openRows(vault: Vault, table: string, rows: readonly Row[]): Row[] {
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

/** Returns whether these vaults open all sealed columns. Only reads. */
export function canOpen(raw: Sqlite.Database, vaults: readonly Vault[]): boolean {
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
 * Seals plain text, and reseals text sealed with an older key, in one transaction; if there is nothing to do, the
 * database is only read.
 * @param older vaults that open the texts that `vault` doesn't
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
    // URLs that were stored in plain text were recorded in plain text too.
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
 * Rewrites the file, whose free pages may still contain texts that have been sealed since. If there is no room for
 * that, the next start tries again. Must not run inside a transaction.
 */
export function scrubColumns(raw: Sqlite.Database): void {
  if (listed(raw).every(({ scrubbed }) => scrubbed === 1)) return;
  // Needs a second copy of the whole database, which may not fit into memory.
  raw.pragma('temp_store = FILE');
  try {
    raw.exec('VACUUM');
    raw.exec('UPDATE sealed_columns SET scrubbed = 1');
    raw.pragma('wal_checkpoint(TRUNCATE)');
  } catch (reason) {
    if (!(reason instanceof Error && 'code' in reason && reason.code === 'SQLITE_FULL')) throw reason;
  }
}
