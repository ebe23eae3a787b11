import { attribute, type QuickStart, quoted } from './quick-start.ts';

/** Values that a SAML application and the portal share. */
export interface SamlValues {
  /** The identity provider's values, from the portal. */
  identityProvider: { entityId: string; singleSignOnUrl: string; certificate: string };
  /** The service provider's values, from the application's metadata. */
  serviceProvider: { entityId: string; acsUrl: string };
}

export const samlQuickStarts = (values: SamlValues): QuickStart[] => [nodeSaml(values), shibboleth(values)];

function nodeSaml({ identityProvider, serviceProvider }: SamlValues): QuickStart {
  return {
    id: 'node-saml',
    title: 'node-saml',
    install: 'npm install @node-saml/node-saml',
    files: [
      {
        name: 'app.mjs',
        text: `import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { SAML, ValidateInResponseTo } from '@node-saml/node-saml';

const acs = new URL(${quoted(serviceProvider.acsUrl)});
const saml = new SAML({
  issuer: ${quoted(serviceProvider.entityId)},
  audience: ${quoted(serviceProvider.entityId)},
  callbackUrl: acs.href,
  idpIssuer: ${quoted(identityProvider.entityId)},
  entryPoint: ${quoted(identityProvider.singleSignOnUrl)},
  idpCert: \`${identityProvider.certificate.trim()}\`,
  // Also accepts responses without a request, because sign-ins can start at the portal.
  validateInResponseTo: ValidateInResponseTo.ifPresent,
});

async function finish(request, response) {
  const form = Object.fromEntries(new URLSearchParams(await text(request)));
  const { profile } = await saml.validatePostResponseAsync(form);
  response.end(\`Signed in as \${profile.nameID}\`);
}

async function begin(response) {
  const there = await saml.getAuthorizeUrlAsync('', undefined, {});
  response.writeHead(302, { location: there }).end();
}

createServer((request, response) => {
  const { pathname } = new URL(request.url, acs);
  const isAnswer = request.method === 'POST' && pathname === acs.pathname;
  const answer = isAnswer ? finish(request, response) : begin(response);
  answer.catch((reason) => response.writeHead(403).end(\`Not signed in: \${reason.message}\`));
}).listen(Number(acs.port) || 3000);
`,
      },
    ],
  };
}

function shibboleth({ identityProvider, serviceProvider }: SamlValues): QuickStart {
  return {
    id: 'shibboleth',
    title: 'Shibboleth SP',
    install: 'apt install libapache2-mod-shib',
    note: 'Both files go in /etc/shibboleth. Set ApplicationDefaults’ entityID as shown below, and replace the other two elements.',
    files: [
      {
        name: 'shibboleth2.xml',
        text: `<ApplicationDefaults entityID=${attribute(serviceProvider.entityId)} REMOTE_USER="eppn subject-id pairwise-id persistent-id">

  <!-- In Sessions. -->
  <SSO entityID=${attribute(identityProvider.entityId)}>SAML2</SSO>

  <!-- Below Errors. -->
  <MetadataProvider type="XML" url=${attribute(identityProvider.entityId)} backingFilePath="orchestrate-metadata.xml">
    <MetadataFilter type="Signature" certificate="orchestrate.pem"/>
  </MetadataProvider>
`,
      },
      { name: 'orchestrate.pem', text: `${identityProvider.certificate.trim()}\n` },
    ],
  };
}
