import { X509Certificate } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SECRET_VARIABLE, samlQuickStarts } from '@orchestrate/shared/quick-starts';
import { isRoot } from '../../../install-from-debian.ts';
import { fillTemplates } from '../fill-templates.ts';
import {
  OIDC_FLOWS,
  type OidcClient,
  type ResourceServer,
  RSA_FLOWS,
  SAML_FLOWS,
  type SamlClient,
  type SamlSettings,
  type Workspace,
} from '../foreign-client.ts';
import { combinePrograms, type Program, startProgram } from '../program.ts';
import { samlEnvironment } from './environment.ts';
import { quickStartFor } from './programs.ts';

const TEMPLATES = join(import.meta.dirname, '..');

/** Copies the files from these folders and fills in their variables. */
function configure(
  templates: readonly string[],
  { folder, url, port }: Workspace,
  values: Readonly<Record<string, string>> = {},
): void {
  const workspace = { FOLDER: folder, URL: url, ESCAPED_URL: encodeURIComponent(url), PORT: String(port) };
  const all = { MODULES: '/usr/lib/apache2/modules', ...workspace, ...values };
  for (const name of templates) fillTemplates(join(TEMPLATES, name), folder, all);
}

/** Writes Apache's own configuration and the client modules' configuration. */
export const configureApache = (
  templates: readonly string[],
  workspace: Workspace,
  values?: Readonly<Record<string, string>>,
): void => configure(['apache', ...templates], workspace, values);

/** Starts Apache with the folder's configuration. @param ready path that responds once Apache is ready */
export function startApache(
  { folder, url }: Workspace,
  ready = '/signed-out',
  env: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const args = ['-f', join(folder, 'apache.conf'), '-DFOREGROUND'];
  return startProgram({ command: '/usr/sbin/apache2', args, cwd: folder, env, ready: url + ready });
}

/** Saves the portal's metadata and the certificate for verifying the metadata's signature. */
async function readIdentityProvider({ folder }: Workspace, { idp }: SamlSettings): Promise<void> {
  const metadata = await fetch(idp).then((answer) => answer.text());
  const [, base64 = ''] = /<md:KeyDescriptor.*<ds:X509Certificate>([^<]+)</.exec(metadata) ?? [];
  await writeFile(join(folder, 'idp.xml'), metadata);
  await writeFile(join(folder, 'idp.pem'), new X509Certificate(Buffer.from(base64, 'base64')).toString());
}

/** Returns the metadata provider from the portal's quick start, with this run's files. */
function metadataProvider({ folder, url }: Workspace, { idp }: SamlSettings): string {
  const starts = samlQuickStarts({
    identityProvider: { entityId: idp, singleSignOnUrl: `${idp}/sso`, certificate: '' },
    serviceProvider: { entityId: `${url}/metadata`, acsUrl: `${url}/Shibboleth.sso/SAML2/POST` },
  });
  const [file] = starts.find(({ id }) => id === 'shibboleth')?.files ?? [];
  const [element = ''] = /<MetadataProvider[\s\S]*<\/MetadataProvider>/.exec(file?.text ?? '') ?? [];
  return element
    .replace('orchestrate.pem', join(folder, 'idp.pem'))
    .replace('orchestrate-metadata.xml', join(folder, 'kept-metadata.xml'));
}

const modAuthOpenidc: OidcClient = {
  protocol: 'OpenID Connect',
  name: 'mod-auth-openidc',
  title: 'mod_auth_openidc',
  from: { debian: ['libapache2-mod-auth-openidc', 'apache2'] },
  flows: OIDC_FLOWS,
  callback: '/callback',
  start(workspace, settings) {
    const [file] = quickStartFor('mod-auth-openidc', settings, `${workspace.url}/callback`).files;
    // Drop the quick start's last section, which protects a whole site: the site used here also has public pages.
    const [QUICK_START = ''] = (file?.text ?? '').split('<Location');
    configureApache(['mod-auth-openidc'], workspace, { QUICK_START });
    const secrets = { [SECRET_VARIABLE]: settings.clientSecret, OIDC_PASSPHRASE: 'only for this run' };
    return startApache(workspace, undefined, secrets);
  },
};

const modOauth2: ResourceServer = {
  protocol: 'Protected resource',
  name: 'mod-oauth2',
  title: 'mod_oauth2',
  from: { debian: ['libapache2-mod-oauth2', 'apache2'] },
  flows: ['accepts a token', 'rejects other tokens', 'rejects a revoked token'],
  start(workspace, { issuer, clientId, clientSecret }) {
    configureApache(['mod-oauth2'], workspace, {
      INTROSPECTION: `${issuer}/token/introspection`,
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
    });
    return startApache(workspace);
  },
};

const modAuthMellon: SamlClient = {
  protocol: 'SAML 2.0',
  name: 'mod-auth-mellon',
  title: 'mod_auth_mellon',
  from: { debian: ['libapache2-mod-auth-mellon', 'apache2'] },
  flows: RSA_FLOWS.filter((flow) => flow !== 'request by POST'),
  entityId: (url) => `${url}/mellon/metadata`,
  acs: '/mellon/postResponse',
  metadata: '/mellon/metadata',
  async start(workspace, settings) {
    await readIdentityProvider(workspace, settings);
    configureApache(['mod-auth-mellon'], workspace);
    return startApache(workspace);
  },
};

const SIGNED_BY = { rsa: 'rsa-sha256', ec: 'ecdsa-sha256' } as const;

const shibboleth: SamlClient = {
  protocol: 'SAML 2.0',
  name: 'shibboleth',
  title: 'Shibboleth SP',
  from: { debian: ['libapache2-mod-shib', 'shibboleth-sp-utils', 'apache2'] },
  flows: SAML_FLOWS,
  entityId: (url) => `${url}/metadata`,
  acs: '/Shibboleth.sso/SAML2/POST',
  metadata: '/Shibboleth.sso/Metadata',
  async start(workspace, settings) {
    const { folder } = workspace;
    await readIdentityProvider(workspace, settings);
    const binding = settings.binding === 'post' ? 'HTTP-POST' : 'HTTP-Redirect';
    configureApache(['shibboleth'], workspace, {
      ...samlEnvironment(settings),
      BINDING_NAME: binding,
      METADATA_PROVIDER: metadataProvider(workspace, settings),
      ALGORITHM: SIGNED_BY[settings.keyType],
    });
    const args = ['-f', '-F', '-c', join(folder, 'shibboleth2.xml'), '-p', join(folder, 'shibd.pid')];
    const rights = isRoot ? ['-u', '_shibd', '-g', '_shibd'] : [];
    const daemon = await startProgram({ command: '/usr/sbin/shibd', args: [...args, ...rights], cwd: folder });
    // Apache's module returns an error until the daemon is listening.
    return combinePrograms(daemon, await startApache(workspace, this.metadata));
  },
};

const simplesamlphp: SamlClient = {
  protocol: 'SAML 2.0',
  name: 'simplesamlphp',
  title: 'SimpleSAMLphp',
  from: { debian: ['simplesamlphp', 'php-cli', 'php-xml'] },
  flows: RSA_FLOWS.filter((flow) => flow !== 'request by POST'),
  entityId: (url) => `${url}/metadata`,
  acs: '/simplesaml/module.php/saml/sp/saml2-acs.php/default-sp',
  metadata: '/simplesaml/module.php/saml/sp/metadata.php/default-sp',
  async start(workspace, settings) {
    const { folder, port, url } = workspace;
    await readIdentityProvider(workspace, settings);
    configure(['simplesamlphp'], workspace, samlEnvironment(settings));
    mkdirSync(join(folder, 'temp'), { recursive: true });
    return startProgram({
      command: '/usr/bin/php',
      args: ['-S', `localhost:${port}`, join(folder, 'router.php')],
      cwd: folder,
      env: { SIMPLESAMLPHP_CONFIG_DIR: folder },
      ready: `${url}/signed-out`,
    });
  },
};

export const DEBIAN_CLIENTS = [modAuthOpenidc, modOauth2, modAuthMellon, shibboleth, simplesamlphp];
