export * from 'drizzle-orm';
export * from 'drizzle-orm/better-sqlite3';
export * from 'drizzle-orm/better-sqlite3/migrator';
export * from 'drizzle-orm/migrator';
export * from 'drizzle-orm/sqlite-core';
