import program from '../../../package.json' with { type: 'json' };

/** The one version of everything here (decision 165). */
export const VERSION: string = program.version;

/** How this program is called: in the repository it runs as TypeScript, in the package it is built. */
const isBuilt = !import.meta.filename.endsWith('.ts');

/** A command of ours as people type it, e.g. `npx orchestrate setup --help`. */
export const ownCommand = (command: 'start' | 'setup' | 'authenticator' | 'replace-keys'): string => {
  if (isBuilt) return `npx orchestrate ${command}`;
  const isScript = command === 'start' || command === 'authenticator';
  return `npx -y pnpm@12 ${isScript ? '' : 'orchestrate '}${command}`;
};
