import { maskAddress } from '@orchestrate/shared';
import type Sqlite from 'better-sqlite3';

/**
 * Masks the addresses of webhooks and SCIM services that earlier versions recorded in the audit trail and in
 * deliveries. The trail is otherwise never changed, so this suspends the trigger that guards it. Must run inside a
 * transaction.
 * @returns whether anything was masked
 */
export function maskRecordedAddresses(raw: Sqlite.Database): boolean {
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
