import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testPortal } from '@orchestrate/server/testing';
import { supportedPage } from './supported/supported-page.ts';

/** Rewrites SUPPORTED.md from a portal that runs. */
const portal = await testPortal();
writeFileSync(join(import.meta.dirname, '../SUPPORTED.md'), await supportedPage(portal));
await portal.close();
