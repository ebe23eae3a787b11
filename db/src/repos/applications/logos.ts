import { and, eq } from '#drizzle';
import type { Tx } from '../../database.ts';
import { appLogos } from '../../schema/applications.ts';
import { logos } from '../../schema/settings.ts';

export type LogoRow = typeof logos.$inferSelect;

export function findLogo(tx: Tx, orgCode: string): LogoRow | undefined {
  return tx.select().from(logos).where(eq(logos.orgCode, orgCode)).get();
}

/** Saves the organisation's logo, replacing any existing logo. Its URL is in `organisations.logo`. */
export function saveLogo(tx: Tx, { orgCode, ...logo }: LogoRow): void {
  tx.insert(logos)
    .values({ orgCode, ...logo })
    .onConflictDoUpdate({ target: logos.orgCode, set: logo })
    .run();
}

export function deleteLogo(tx: Tx, orgCode: string): void {
  tx.delete(logos).where(eq(logos.orgCode, orgCode)).run();
}

export type AppLogoRow = typeof appLogos.$inferSelect;

const ofApp = (orgCode: string, appId: string) => and(eq(appLogos.orgCode, orgCode), eq(appLogos.appId, appId));

export function findAppLogo(tx: Tx, orgCode: string, appId: string): AppLogoRow | undefined {
  return tx.select().from(appLogos).where(ofApp(orgCode, appId)).get();
}

/** Saves an application's logo. Its URL is in `applications.logo`. */
export function saveAppLogo(tx: Tx, { orgCode, appId, ...logo }: AppLogoRow): void {
  tx.insert(appLogos)
    .values({ orgCode, appId, ...logo })
    .onConflictDoUpdate({ target: [appLogos.orgCode, appLogos.appId], set: logo })
    .run();
}

export function deleteAppLogo(tx: Tx, orgCode: string, appId: string): void {
  tx.delete(appLogos).where(ofApp(orgCode, appId)).run();
}
