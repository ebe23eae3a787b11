// Read by every Node.js, however old: no syntax and no module that an old one lacks.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const oldest = `${engines.node.replace('>=', '')}.0`;
const present = process.versions.node;
const [major, minor] = present.split('.').map(Number);
const [oldestMajor, oldestMinor] = oldest.split('.').map(Number);
const isTooOld = major < oldestMajor || (major === oldestMajor && minor < oldestMinor);

/** What to do about a Node.js that is too old, in one line; empty where this one is not. */
export const tooOld = isTooOld
  ? `Orchestrate needs Node.js ${oldest} or newer, and this is ${present}. In this project alone: npm install --save-dev node@24`
  : '';
