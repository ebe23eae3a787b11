import type { FastifyInstance, FastifyReply, HTTPMethods } from 'fastify';

/** A standard operation that clients may look for but the portal doesn't implement. */
export interface UnsupportedOperation {
  protocol: 'OpenID Connect' | 'SAML 2.0';
  /** The operation's name in the standard. */
  name: string;
  standard: string;
  methods: HTTPMethods[];
  /** Path where other products usually serve the operation. */
  path: string;
}

/** Error code used only for absent operations, so clients don't mistake the response for an expired ID. */
export const NOT_IMPLEMENTED = 'not_implemented';

const oidc = (path: string, methods: HTTPMethods[], name: string, standard: string): UnsupportedOperation => ({
  protocol: 'OpenID Connect',
  name,
  standard,
  methods,
  path,
});

const saml = (path: string, name: string, standard: string): UnsupportedOperation => ({
  protocol: 'SAML 2.0',
  name,
  standard,
  methods: ['GET', 'POST'],
  path: `/saml/:orgCode/:appId/${path}`,
});

/**
 * All unsupported operations except SCIM operations, which `answer-scim.ts` refuses in SCIM's own error format, and only
 * for directories.
 */
export const UNSUPPORTED_OPERATIONS: readonly UnsupportedOperation[] = [
  oidc('/oidc/:orgCode/backchannel', ['POST'], 'Client-initiated backchannel authentication', 'OpenID CIBA 1.0'),
  oidc('/oidc/:orgCode/session/check', ['GET'], 'Check-session iframe', 'OpenID Session Management 1.0'),
  oidc('/.well-known/webfinger', ['GET'], 'WebFinger issuer discovery', 'OpenID Connect Discovery 1.0 §2'),
  saml('artifact', 'Artifact resolution', 'SAML 2.0 bindings §3.6'),
  saml('attributes', 'Attribute query', 'SAML 2.0 core §3.3.2'),
  saml('soap', 'SOAP binding, including single logout', 'SAML 2.0 bindings §3.2'),
  saml('ecp', 'Enhanced client or proxy', 'SAML 2.0 profiles §4.2'),
  saml('nameid', 'Name identifier management', 'SAML 2.0 profiles §4.5'),
];

/**
 * Responds 501 to unsupported protocol operations, without reading the request or checking that the organisation or
 * application exists.
 */
export function registerUnsupportedOperations(app: FastifyInstance): void {
  for (const { methods, path, name, standard } of UNSUPPORTED_OPERATIONS) {
    const answer = async (_request: unknown, reply: FastifyReply) =>
      reply
        .code(501)
        .headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
        .send({
          error: NOT_IMPLEMENTED,
          error_description: `${name} (${standard}) is not implemented; see SUPPORTED.md`,
        });
    app.route({ method: methods, url: path, onRequest: answer, handler: answer });
  }
}
