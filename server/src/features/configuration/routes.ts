import { exportConfiguration } from '@orchestrate/db';
import { contract } from '@orchestrate/shared';
import type { FastifyInstance } from 'fastify';
import type { ConfigurationPart } from '../../core/configuration/configuration-part.ts';
import type { Deps } from '../../deps.ts';
import { Download } from '../../platform/http/answers/answer.ts';
import { implement } from '../../platform/http/implement.ts';
import { checkConfiguration, importConfiguration } from './import-configuration.ts';
import { YAML_MAX } from './read-configuration.ts';

/**
 * An organisation's configuration as a file. @param parts what is imported, in the order in which it is written: roles
 * before the applications that are for them
 */
export function configuration(app: FastifyInstance, deps: Deps, parts: readonly ConfigurationPart[]): void {
  implement(app, deps, contract.exportConfiguration, async ({ caller: { orgCode }, query: { format }, version }) => {
    const organisation = exportConfiguration(deps.db, orgCode);
    version.answer(organisation);
    // Without the fields that have no value.
    const written: unknown = JSON.parse(JSON.stringify({ organisations: [organisation] }));
    const fileName = `configuration-${orgCode}.${format}`;
    const json = JSON.stringify(written, null, 2);
    if (format === 'json') return new Download([json], { type: 'application/json', fileName });
    // JSON is YAML too, and what is longer is read only as JSON.
    if (json.length > YAML_MAX) return new Download([json], { type: 'application/yaml', fileName });
    const { stringify } = await import('yaml');
    const text = stringify(written, { lineWidth: 0, aliasDuplicateObjects: false });
    return new Download([text], { type: 'application/yaml', fileName });
  });

  implement(app, deps, contract.checkConfiguration, ({ caller, actor, body }) =>
    checkConfiguration({ deps, caller, actor, parts }, body.configuration),
  );
  implement(app, deps, contract.importConfiguration, ({ caller, actor, body, version }) =>
    importConfiguration({ deps, caller, actor, parts }, body.configuration, version),
  );
}
