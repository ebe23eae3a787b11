// drizzle-orm's package.json exports each of its files, and Node reads it again for every ES module of the package:
// 0.4 s and 180 MB per process. Its CommonJS build loads without that. drizzle-orm 1 exports its files by pattern.
module.exports = {
  ...require('drizzle-orm'),
  ...require('drizzle-orm/sqlite-core'),
  ...require('drizzle-orm/better-sqlite3'),
  ...require('drizzle-orm/better-sqlite3/migrator'),
  ...require('drizzle-orm/migrator'),
};
