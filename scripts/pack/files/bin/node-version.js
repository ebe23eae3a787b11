// Read by every Node.js, however old: no syntax and no module that an old one lacks.
import { createRequire } from 'node:module';

const { engines } = createRequire(import.meta.url)('../package.json');
// `^22.14 || >=23.6`: the oldest of each line, and the last counts for all later ones.
const oldest = engines.node.match(/\d+\.\d+/g);
const present = process.versions.node;
const [major, minor] = present.split('.').map(Number);
const isEnough = oldest.some((version, index) => {
  const [line, first] = version.split('.').map(Number);
  return (major === line && minor >= first) || (major > line && index === oldest.length - 1);
});

/** What to do about a Node.js that is too old, in one line; empty where this one is not. */
export const tooOld = isEnough
  ? ''
  : `Orchestrate needs Node.js ${oldest.join(', ')} or newer, and this is ${present}. In this project alone: npm install --save-dev node@24, then \`npx node\` for \`node\`.`;
