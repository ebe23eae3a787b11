import program from '../../../package.json' with { type: 'json' };

/** The version of all packages (decision 165). */
export const VERSION: string = program.version;

/** In the repository the program runs as TypeScript, in the package it is built. */
const isBuilt = !import.meta.filename.endsWith('.ts');

/** Returns the command line of a command, e.g. `npx orchestrate setup`. */
export const ownCommand = (command: 'start' | 'setup' | 'authenticator' | 'replace-keys'): string => {
  if (isBuilt) return `npx orchestrate ${command}`;
  const isScript = command === 'start' || command === 'authenticator';
  return `npx -y pnpm@12 ${isScript ? '' : 'orchestrate '}${command}`;
};
