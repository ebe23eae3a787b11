import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const service = z.looseObject({
  ports: z.array(z.string()),
  environment: z.record(z.string(), z.string()).default({}),
  volumes: z.array(z.string()).default([]),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
  tmpfs: z.array(z.string()).default([]),
});

const compose = z.object({
  name: z.string(),
  services: z.object({ portal: service, mailpit: service }),
  volumes: z.record(z.string(), z.unknown()),
});

/** Reads the compose file and substitutes these variables. */
export function readCompose(context: string, variables: Readonly<Record<string, string>> = {}) {
  let written = readFileSync(join(context, 'docker-compose.yml'), 'utf8');
  // Compose substitutes nested variables from the inside out.
  const variable = /\$\{(\w+):-([^${}]*)\}/g;
  while (written.search(variable) >= 0) {
    written = written.replace(variable, (_, name: string, otherwise: string) => variables[name] || otherwise);
  }
  return compose.parse(parse(written));
}
