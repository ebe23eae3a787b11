import { tooOld } from './node-version.js';

if (tooOld) throw new Error(tooOld);
