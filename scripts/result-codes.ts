import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findResultTests } from './result-codes/find-tests.ts';
import { resultCodesPage } from './result-codes/result-codes-page.ts';

/** Rewrites docs/result-codes.md. */
const root = join(import.meta.dirname, '..');
writeFileSync(join(root, 'docs/result-codes.md'), resultCodesPage(findResultTests(root)));
