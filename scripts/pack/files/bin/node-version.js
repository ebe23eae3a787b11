// Must run on any old Node.js version, so it uses only old syntax and modules.
import { createRequire } from 'node:module';

const { engines } = createRequire(import.meta.url)('../package.json');
// `^22.14 || >=23.6` lists the oldest version for each major line. The last version also covers all later lines.
const oldest = engines.node.match(/\d+\.\d+/g);
const present = process.versions.node;
const [major, minor] = present.split('.').map(Number);
const isEnough = oldest.some((version, index) => {
  const [line, first] = version.split('.').map(Number);
  return (major === line && minor >= first) || (major > line && index === oldest.length - 1);
});

/** One line of advice if this Node.js is too old, otherwise empty. */
export const tooOld = isEnough
  ? ''
  : `Orchestrate needs Node.js ${oldest.join(', ')} or newer, but this is ${present}. To use a newer version in this project only, run npm install --save-dev node@24 and use \`npx node\` instead of \`node\`.`;
