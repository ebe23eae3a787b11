export { type Backup, BackupFailed, type BackupOptions, backUp, backUpClosed } from './backup.ts';
export { type Db, type OpenDatabase, type Tx, vaultOf } from './database.ts';
export { DatabaseUnusable, type UnusableReason } from './database-unusable.ts';
export { foldCase } from './fold-case.ts';
export { Lifetime, runDetached } from './lifetime.ts';
export { memberNumber } from './member-ids.ts';
export { type OpenOptions, openDatabase } from './open.ts';
export { projectPath } from './paths.ts';
export * from './repos/index.ts';
export * as schema from './schema/index.ts';
export { SECRETS_KEY_PATTERN, type SecretsKeys } from './secrets-key.ts';
export { seedDemoActivity } from './seed/demo-activity.ts';
export type { KeyOrigin } from './seed/key-source.ts';
export { drawName } from './seed/names.ts';
export {
  findPredictableKeys,
  type PredictableKeys,
  replacePredictableKeys,
} from './seed/predictable-keys.ts';
export { resetDatabase } from './seed/reset-database.ts';
export { openImage, restoreDatabase, serialiseDatabase } from './seed/restore-database.ts';
export { type Seed, type SeedName, seedDatabase } from './seed/seed-database.ts';
export { seedTime } from './seed/seed-time.ts';
export { openSeededInMemory } from './seed/seeded-in-memory.ts';
export { exportApplication } from './seed/world/export-applications.ts';
export { exportConfiguration } from './seed/world/export-configuration.ts';
export { exportWorld } from './seed/world/export-world.ts';
export { saveWorldApplication } from './seed/world/world-rows.ts';
export { SealBroken, type Sealed, type Vault } from './vault.ts';
