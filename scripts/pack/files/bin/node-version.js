// Runs on any old Node.js, so it uses only old syntax and modules.
import { createRequire } from 'node:module';

const { engines } = createRequire(import.meta.url)('../package.json');
// `^22.14 || >=23.6` contains the oldest version of each major line; the last one also covers all later lines.
const oldest = engines.node.match(/\d+\.\d+/g);
const present = process.versions.node;
const [major, minor] = present.split('.').map(Number);
const isEnough = oldest.some((version, index) => {
  const [line, first] = version.split('.').map(Number);
  return (major === line && minor >= first) || (major > line && index === oldest.length - 1);
});

/** Advice for a Node.js that is too old, in one line; empty if this one is new enough. */
export const tooOld = isEnough
  ? ''
  : `Orchestrate needs Node.js ${oldest.join(', ')} or newer, but this is ${present}. To use another one only in this project, run npm install --save-dev node@24 and \`npx node\` instead of \`node\`.`;
