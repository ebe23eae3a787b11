import { nameKey } from '@orchestrate/shared';
import { and, asc, count, eq, ne, sql } from '#drizzle';
import { cachedRow } from '../../cached-row.ts';
import type { Tx } from '../../database.ts';
import { applications, oidcClients } from '../../schema/applications.ts';
import { isUniqueViolation } from '../../sql.ts';
import { drizzleStatement } from '../../sql-statement.ts';

export type ApplicationRow = typeof applications.$inferSelect;
export type NewApplication = Omit<typeof applications.$inferInsert, 'nameKey'>;
export type ApplicationChange = Partial<Omit<NewApplication, 'orgCode' | 'appId' | 'integrationType' | 'createdAt'>>;
export type OidcClientRow = typeof oidcClients.$inferSelect;

const named = (orgCode: string, appId: string) => and(eq(applications.orgCode, orgCode), eq(applications.appId, appId));

/**
 * Returns true if two names are equal, ignoring case and extra white space. An organisation can't have two
 * applications with the same name.
 */
export const isSameName = (a: string, b: string): boolean => nameKey(a) === nameKey(b);

/** Lists an organisation's applications by name. */
export function listApplications(tx: Tx, orgCode: string): ApplicationRow[] {
  return tx
    .select()
    .from(applications)
    .where(eq(applications.orgCode, orgCode))
    .orderBy(asc(applications.nameKey))
    .all();
}

const portalApplication = drizzleStatement((db) =>
  db
    .select()
    .from(applications)
    .where(and(eq(applications.orgCode, sql.placeholder('orgCode')), eq(applications.integrationType, 'portal')))
    .orderBy(asc(applications.createdAt), asc(applications.appId))
    .limit(1)
    .prepare(),
);

const cachedPortal = cachedRow([applications], ['orgCode'], (db, key) => portalApplication(db).get(key) ?? null);

/** Finds the application that represents the portal itself, or the oldest if there are several. */
export function findPortalApplication(tx: Tx, orgCode: string): Readonly<ApplicationRow> | undefined {
  return cachedPortal(tx, { orgCode }) ?? undefined;
}

const applicationById = drizzleStatement((db) =>
  db
    .select()
    .from(applications)
    .where(and(eq(applications.appId, sql.placeholder('appId')), eq(applications.orgCode, sql.placeholder('orgCode'))))
    .prepare(),
);

export function findApplication(tx: Tx, orgCode: string, appId: string): ApplicationRow | undefined {
  return applicationById(tx).get({ orgCode, appId });
}

export function listAppIds(tx: Tx, orgCode: string): Set<string> {
  const rows = tx
    .select({ appId: applications.appId })
    .from(applications)
    .where(eq(applications.orgCode, orgCode))
    .all();
  return new Set(rows.map(({ appId }) => appId));
}

/** Returns true if an application already has this ID, ignoring case. */
export function isAppIdInUse(tx: Tx, orgCode: string, appId: string): boolean {
  const found = tx
    .select({ appId: applications.appId })
    .from(applications)
    .where(and(eq(applications.orgCode, orgCode), eq(sql`lower(${applications.appId})`, appId.toLowerCase())))
    .get();
  return found !== undefined;
}

/** Returns the ID of the application with this name, ignoring case and the application `exceptAppId`. */
export function findAppIdByName(tx: Tx, orgCode: string, name: string, exceptAppId = ''): string | undefined {
  return tx
    .select({ appId: applications.appId })
    .from(applications)
    .where(
      and(
        eq(applications.orgCode, orgCode),
        eq(applications.nameKey, nameKey(name)),
        ne(applications.appId, exceptAppId),
      ),
    )
    .get()?.appId;
}

/** Adds an application. Returns false if its name is already taken. */
export function insertApplication(tx: Tx, application: NewApplication): boolean {
  return unlessNameIsTaken(() =>
    tx
      .insert(applications)
      .values({ ...application, nameKey: nameKey(application.name) })
      .run(),
  );
}

/** Updates the given fields. Returns false if the new name is already taken. */
export function changeApplication(tx: Tx, orgCode: string, appId: string, change: ApplicationChange): boolean {
  const isEmpty = Object.values(change).every((value) => value === undefined);
  if (isEmpty) return true;
  const { name } = change;
  return unlessNameIsTaken(() =>
    tx
      .update(applications)
      .set({ ...change, ...(name !== undefined && { nameKey: nameKey(name) }) })
      .where(named(orgCode, appId))
      .run(),
  );
}

/**
 * Gives these applications temporary name keys, so they can exchange names. Call it in the transaction that renames
 * them.
 */
export function releaseNames(tx: Tx, orgCode: string, appIds: readonly string[]): void {
  for (const appId of appIds) {
    // Names never start with a space, so a key with a leading space can't collide with a name.
    tx.update(applications)
      .set({ nameKey: ` ${appId}` })
      .where(named(orgCode, appId))
      .run();
  }
}

function unlessNameIsTaken(write: () => void): boolean {
  try {
    write();
    return true;
  } catch (reason) {
    if (isUniqueViolation(reason, 'applications.nameKey')) return false;
    throw reason;
  }
}

/** Deletes an application and all its data. */
export function deleteApplication(tx: Tx, orgCode: string, appId: string): void {
  tx.delete(applications).where(named(orgCode, appId)).run();
}

export function countPortalApplications(tx: Tx, orgCode: string): number {
  const row = tx
    .select({ found: count() })
    .from(applications)
    .where(and(eq(applications.orgCode, orgCode), eq(applications.integrationType, 'portal')))
    .get();
  return row?.found ?? 0;
}

/** Returns true if the organisation has an application other than the portal. */
export function hasOtherApplications(tx: Tx, orgCode: string): boolean {
  const other = and(eq(applications.orgCode, orgCode), ne(applications.integrationType, 'portal'));
  return tx.select({ appId: applications.appId }).from(applications).where(other).limit(1).get() !== undefined;
}

const ofClient = (orgCode: string, appId: string) =>
  and(eq(oidcClients.orgCode, orgCode), eq(oidcClients.appId, appId));

/** Finds an application's OpenID Connect settings. */
export function findOidcClient(tx: Tx, orgCode: string, appId: string): OidcClientRow | undefined {
  return tx.select().from(oidcClients).where(ofClient(orgCode, appId)).get();
}

/** Lists the kinds of an organisation's OpenID Connect clients, keyed by application ID. */
export function listClientKinds(tx: Tx, orgCode: string): Map<string, OidcClientRow['kind']> {
  const clients = tx
    .select({ appId: oidcClients.appId, kind: oidcClients.kind })
    .from(oidcClients)
    .where(eq(oidcClients.orgCode, orgCode))
    .all();
  return new Map(clients.map(({ appId, kind }) => [appId, kind]));
}

/** Adds an application's OpenID Connect settings. */
export function insertOidcClient(tx: Tx, client: OidcClientRow): void {
  tx.insert(oidcClients).values(client).run();
}

export function changeOidcClient(
  tx: Tx,
  orgCode: string,
  appId: string,
  change: Partial<Omit<OidcClientRow, 'orgCode' | 'appId'>>,
): void {
  if (Object.values(change).every((value) => value === undefined)) return;
  tx.update(oidcClients).set(change).where(ofClient(orgCode, appId)).run();
}
