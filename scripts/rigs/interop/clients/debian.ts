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
  type Place,
  type ResourceServer,
  RSA_FLOWS,
  SAML_FLOWS,
  type SamlClient,
  type SamlSettings,
} from '../foreign-client.ts';
import { type Program, startProgram, together } from '../program.ts';
import { samlEnvironment } from './environment.ts';
import { quickStartFor } from './quick-start-for.ts';

const TEMPLATES = join(import.meta.dirname, '..');

/** Writes the files of these folders, with their names filled in. */
function configure(
  templates: readonly string[],
  { folder, url, port }: Place,
  values: Readonly<Record<string, string>> = {},
): void {
  const place = { FOLDER: folder, URL: url, ESCAPED_URL: encodeURIComponent(url), PORT: String(port) };
  const all = { MODULES: '/usr/lib/apache2/modules', ...place, ...values };
  for (const name of templates) fillTemplates(join(TEMPLATES, name), folder, all);
}

/** Writes the configuration of Apache too, beside that of a client's modules. */
export const configureApache = (
  templates: readonly string[],
  place: Place,
  values?: Readonly<Record<string, string>>,
): void => configure(['apache', ...templates], place, values);

/**
 * Starts Apache with the configuration that is in the folder. @param ready path that answers when all of it is there
 */
export function startApache(
  { folder, url }: Place,
  ready = '/signed-out',
  env: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const args = ['-f', join(folder, 'apache.conf'), '-DFOREGROUND'];
  return startProgram({ command: '/usr/sbin/apache2', args, cwd: folder, env, ready: url + ready });
}

/** The metadata, and the certificate with which a client verifies their signature. */
async function readIdentityProvider({ folder }: Place, { idp }: SamlSettings): Promise<void> {
  const metadata = await fetch(idp).then((answer) => answer.text());
  const [, base64 = ''] = /<md:KeyDescriptor.*<ds:X509Certificate>([^<]+)</.exec(metadata) ?? [];
  await writeFile(join(folder, 'idp.xml'), metadata);
  await writeFile(join(folder, 'idp.pem'), new X509Certificate(Buffer.from(base64, 'base64')).toString());
}

/** The part of the portal's quick start that names its metadata, with the files of this run. */
function metadataProvider({ folder, url }: Place, { idp }: SamlSettings): string {
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
  start(place, settings) {
    const [file] = quickStartFor('mod-auth-openidc', settings, `${place.url}/callback`).files;
    // Its last part protects a whole site; here there are pages of either kind.
    const [QUICK_START = ''] = (file?.text ?? '').split('<Location');
    configureApache(['mod-auth-openidc'], place, { QUICK_START });
    const secrets = { [SECRET_VARIABLE]: settings.clientSecret, OIDC_PASSPHRASE: 'only for this run' };
    return startApache(place, undefined, secrets);
  },
};

const modOauth2: ResourceServer = {
  protocol: 'Protected resource',
  name: 'mod-oauth2',
  title: 'mod_oauth2',
  from: { debian: ['libapache2-mod-oauth2', 'apache2'] },
  flows: ['accepts a token', 'refuses other tokens', 'refuses a revoked token'],
  start(place, { issuer, clientId, clientSecret }) {
    configureApache(['mod-oauth2'], place, {
      INTROSPECTION: `${issuer}/token/introspection`,
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
    });
    return startApache(place);
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
  async start(place, settings) {
    await readIdentityProvider(place, settings);
    configureApache(['mod-auth-mellon'], place);
    return startApache(place);
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
  async start(place, settings) {
    const { folder } = place;
    await readIdentityProvider(place, settings);
    const binding = settings.binding === 'post' ? 'HTTP-POST' : 'HTTP-Redirect';
    configureApache(['shibboleth'], place, {
      ...samlEnvironment(settings),
      BINDING_NAME: binding,
      METADATA_PROVIDER: metadataProvider(place, settings),
      ALGORITHM: SIGNED_BY[settings.keyType],
    });
    const args = ['-f', '-F', '-c', join(folder, 'shibboleth2.xml'), '-p', join(folder, 'shibd.pid')];
    const rights = isRoot ? ['-u', '_shibd', '-g', '_shibd'] : [];
    const daemon = await startProgram({ command: '/usr/sbin/shibd', args: [...args, ...rights], cwd: folder });
    // Apache's part says that it has an error until the daemon listens.
    return together(daemon, await startApache(place, this.metadata));
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
  async start(place, settings) {
    const { folder, port, url } = place;
    await readIdentityProvider(place, settings);
    configure(['simplesamlphp'], place, samlEnvironment(settings));
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
