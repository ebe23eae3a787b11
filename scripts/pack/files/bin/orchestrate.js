#!/usr/bin/env node
import { tooOld } from './node-version.js';

if (tooOld) {
  console.error(tooOld);
  process.exit(1);
}
void import('../dist/cli.js');
