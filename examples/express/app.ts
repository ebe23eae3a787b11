import express, { type Express } from 'express';
import session from 'express-session';
import * as client from 'openid-client';

declare module 'express-session' {
  interface SessionData {
    /** Pending sign-in, kept until the callback. */
    signIn: { pkceCodeVerifier: string; expectedState: string; expectedNonce: string };
    person: string;
  }
}

export interface Settings {
  /** Public URL of the application. */
  url: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Time limit for the provider's responses, in seconds. */
  timeout?: number;
}

/** Creates an application that signs users in with OpenID Connect. */
export async function createApp({ url, issuer, clientId, clientSecret, timeout = 5 }: Settings): Promise<Express> {
  const config = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    // Needed only for a local provider without TLS.
    execute: [client.allowInsecureRequests],
  });
  config.timeout = timeout;
  // Without this, the library trusts the TLS connection and doesn't verify the ID token's signature.
  client.enableNonRepudiationChecks(config);

  const app = express();
  app.use(session({ secret: 'only for this example', resave: false, saveUninitialized: false }));

  app.get('/', (request, response) => {
    response.send(request.session.person ? `Hello, ${request.session.person}` : '<a href="/login">Sign in</a>');
  });

  app.get('/login', async (request, response) => {
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const signIn = { pkceCodeVerifier, expectedState: client.randomState(), expectedNonce: client.randomNonce() };
    request.session.signIn = signIn;
    const there = client.buildAuthorizationUrl(config, {
      redirect_uri: `${url}/callback`,
      scope: 'openid profile email',
      state: signIn.expectedState,
      nonce: signIn.expectedNonce,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    response.redirect(there.href);
  });

  app.get('/callback', async (request, response) => {
    try {
      const tokens = await client.authorizationCodeGrant(
        config,
        new URL(request.originalUrl, url),
        request.session.signIn,
      );
      request.session.person = String(tokens.claims()?.email);
      response.redirect('/');
    } catch (reason) {
      response.status(401).send(`You are not signed in. ${whyOf(reason)}`);
    }
  });

  return app;
}

/** Returns the provider's error, or the library's error if there is none. */
function whyOf(reason: unknown): string {
  if (!(reason instanceof Error)) return String(reason);
  if ('error' in reason) return String(reason.error);
  return reason.cause instanceof Error ? reason.cause.message : reason.message;
}
