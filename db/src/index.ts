export type { Db, OpenDatabase, Tx } from './database.ts';
export { DatabaseUnusable, type UnusableReason } from './database-unusable.ts';
export { type OpenOptions, openDatabase } from './open.ts';
export * from './repos/index.ts';
export * as schema from './schema/index.ts';
export { type GivenKeys, SECRETS_KEY_PATTERN } from './secrets-key.ts';
export { resetDatabase } from './seed/reset-database.ts';
export { type SeedName, seedDatabase } from './seed/seed-database.ts';
export { SealBroken, type Sealed, type Vault, vaultOf } from './vault.ts';
