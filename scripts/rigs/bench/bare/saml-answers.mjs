// samlify alone: repeatedly signs the assertion and message of the same response, and sends it as a form.
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

const { SamlLib } = createRequire(new URL('../../../../server/package.json', import.meta.url))('samlify');
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
// The signature contains the certificate only as text, so the portal's certificate works too.
const [, signingCert] = /<ds:X509Certificate>([^<]+)</.exec(process.env.ANSWER);
const unsigned = process.env.ANSWER.replace(/<ds:Signature .*?<\/ds:Signature>/gs, '');
const child = (...path) => path.map((name) => `/*[local-name(.)='${name}']`).join('');

const signed = (xml, ...path) =>
  SamlLib.constructSAMLSignature({
    rawSamlMessage: xml,
    referenceTagXPath: child(...path),
    privateKey,
    signingCert,
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    isBase64Output: false,
    signatureConfig: { prefix: 'ds', location: { reference: child(...path, 'Issuer'), action: 'after' } },
  });

const server = createServer((_request, response) => {
  const answer = signed(signed(unsigned, 'Response', 'Assertion'), 'Response');
  response.setHeader('content-type', 'text/html');
  response.end(`<form><input name="SAMLResponse" value="${Buffer.from(answer).toString('base64')}"></form>`);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` }));
