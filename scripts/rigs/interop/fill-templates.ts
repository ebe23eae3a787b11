import { cpSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Copies a folder of configuration files and replaces each `${NAME}` with its value.
 * @throws if a name has no value
 */
export function fillTemplates(from: string, to: string, values: Readonly<Record<string, string>>): void {
  cpSync(from, to, { recursive: true });
  for (const name of globSync('**/*', { cwd: from })) {
    const file = join(to, name);
    if (!statSync(file).isFile()) continue;
    const filled = readFileSync(file, 'utf8').replaceAll(/\$\{([A-Z_]+)\}/g, (_whole, key: string) => {
      const value = values[key];
      if (value === undefined) throw new Error(`${name} contains \${${key}}, which has no value.`);
      return value;
    });
    writeFileSync(file, filled);
  }
}
