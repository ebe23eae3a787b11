import { SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import express, { type Express } from 'express';

/** Returns this service provider's metadata. */
export const metadataOf = (url: string) => `<?xml version="1.0"?>
<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${url}/metadata">
  <SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    <AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${url}/acs" index="0"/>
  </SPSSODescriptor>
</EntityDescriptor>`;

/**
 * Creates an application that signs users in with SAML.
 * @param url public URL of the application @param idp entity ID of the identity provider, which is also its metadata
 * URL
 */
export async function createApp({ url, idp }: { url: string; idp: string }): Promise<Express> {
  const metadata = await fetch(idp).then((answer) => answer.text());
  const [, idpCert = ''] = /<(?:\w+:)?X509Certificate>([^<]+)/.exec(metadata) ?? [];
  const saml = new SAML({
    entryPoint: `${idp}/sso`,
    idpCert,
    idpIssuer: idp,
    issuer: `${url}/metadata`,
    audience: `${url}/metadata`,
    callbackUrl: `${url}/acs`,
    wantAuthnResponseSigned: true,
    validateInResponseTo: ValidateInResponseTo.always,
  });

  const app = express();

  app.get('/login', async (_request, response) => {
    response.redirect(await saml.getAuthorizeUrlAsync('', undefined, {}));
  });

  app.post('/acs', express.urlencoded(), async (request, response) => {
    try {
      const { profile } = await saml.validatePostResponseAsync(request.body);
      response.send(`Hello, ${profile?.nameID}`);
    } catch (reason) {
      response.status(401).send(`You are not signed in. ${reason instanceof Error ? reason.message : reason}`);
    }
  });

  return app;
}
